import { type ClauseId, getClauseRange } from "../clauses/register.js";
import { buildPageParameters, pagingDescription } from "./parameters.js";
import { type Access, defineOperationGroup, defineSuccess, get, post, remove } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writeAccessRoles } from "../schemas/roles.js";

const prefix = "/api/v1/management/databases/{databaseId}/repositories";

const readAccess: Access = { kind: "protected", roles: allRoles, roleIn: "token" };
const writeAccess: Access = { kind: "protected", roles: writeAccessRoles, roleIn: "token" };
const accessClauses: readonly ClauseId[] = ["AUTH-15", "AUTH-16", "AUTH-18", "GEN-02", "GEN-05", "GEN-08"];

const schema = {
  title: { type: "string", required: true, minLength: 1, maxLength: 200 },
  price: { type: "number", min: 0 },
  inStock: { type: "boolean", default: true },
  tags: { type: "array", items: { type: "string" }, maxItems: 10 },
};
const created = {
  repositoryId: "repo_demo_products",
  databaseId: "db_demo",
  name: "products",
  entityName: "Product",
  createdAt: "2030-01-01T00:00:00.000Z",
};
const repository = {
  ...created,
  status: "Active",
  schema,
  itemCount: 1,
  updatedAt: "2030-01-01T00:00:01.000Z",
};

/** Repository management (part 4.4). */
export const repositoryOperations = defineOperationGroup({ tag: "Repositories", clauses: accessClauses })({
  createRepository: post(prefix, "Create a repository", {
    description:
      "The schema maps field names to definitions, and entity data is validated against them. Without a schema, " +
      "entities can have any data. An invalid schema is rejected, and its mistakes are reported with their locations.",
    access: writeAccess,
    requestBody: ref("CreateRepositoryRequest"),
    successes: [defineSuccess(201, "The repository was created.", "RepositoryCreated")],
    problems: ["database-unavailable", "database-not-found", "foreign-resource", "conflict"],
    clauses: [
      "REPO-01",
      ...getClauseRange("REPO-02", "REPO-04"),
      "REPO-45",
      "ORG-32",
      "ORG-33",
      "GEN-01",
      "GEN-06",
    ],
    example: {
      request: { name: "suppliers", entityName: "Supplier", schema: { title: schema.title } },
      response: { ...created, repositoryId: "repo_2m8q", name: "suppliers", entityName: "Supplier" },
    },
  }),
  listRepositories: get(prefix, "List the repositories in a database", {
    description:
      "Returns the oldest repositories first, each with its schema and number of entities. " +
      pagingDescription,
    access: readAccess,
    parameters: buildPageParameters,
    successes: [defineSuccess(200, "A page of repositories.", "RepositoryPage")],
    problems: ["database-not-found", "foreign-resource"],
    clauses: ["REPO-05", "REPO-06", "REPO-08", "GEN-03", "GEN-04"],
    example: { response: { repositories: [repository], nextCursor: null } },
  }),
  getRepository: get(`${prefix}/{repositoryId}`, "Get a repository", {
    description: "Returns the schema as it was given, and the current number of entities.",
    access: readAccess,
    successes: [defineSuccess(200, "The repository.", "Repository")],
    problems: ["database-not-found", "repository-not-found", "foreign-resource"],
    clauses: ["REPO-06", "REPO-07", "REPO-08", "GEN-01"],
    example: { response: repository },
  }),
  deleteRepository: remove(`${prefix}/{repositoryId}`, "Delete a repository and all its entities", {
    description:
      "The entities are deleted at once and cannot be restored. The database's items and tables are not affected.",
    access: writeAccess,
    successes: [defineSuccess(204, "The repository and its entities were deleted.")],
    problems: ["database-not-found", "repository-not-found", "foreign-resource"],
    clauses: ["REPO-09", "ORG-32", "ORG-33"],
  }),
});
