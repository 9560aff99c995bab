import type { ClauseId } from "../clauses/register.js";
import { cursorParameter, limitParameter } from "./parameters.js";
import { type Access, defineOperations } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writingRoles } from "../schemas/roles.js";

const prefix = "/api/v1/management/databases/{databaseId}/repositories";

const reading: Access = { kind: "protected", roles: allRoles, roleIn: "token" };
const writing: Access = { kind: "protected", roles: writingRoles, roleIn: "token" };
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
const inDatabase = { databaseId: created.databaseId };
const inRepository = { ...inDatabase, repositoryId: created.repositoryId };

/** Repository management (part 4.4). */
export const repositoryOperations = defineOperations({
  createRepository: {
    tag: "Repositories",
    summary: "Create a repository",
    routes: { method: "post", path: prefix },
    access: writing,
    effect: "write",
    requestBody: ref("CreateRepositoryRequest"),
    successes: () => [
      { status: 201, description: "The repository is there.", schema: ref("RepositoryCreated") },
    ],
    problems: ["database-unavailable", "database-not-found", "foreign-resource", "conflict"],
    clauses: [
      "REPO-01",
      "REPO-02",
      "REPO-03",
      "REPO-04",
      "REPO-45",
      "ORG-32",
      "ORG-33",
      "AUTH-26",
      "GEN-01",
      "GEN-06",
      "GEN-09",
      ...accessClauses,
    ],
    example: {
      parameters: inDatabase,
      request: { name: "suppliers", entityName: "Supplier", schema: { title: schema.title } },
      response: { ...created, repositoryId: "repo_2m8q", name: "suppliers", entityName: "Supplier" },
    },
  },
  listRepositories: {
    tag: "Repositories",
    summary: "List the repositories of a database",
    routes: { method: "get", path: prefix },
    access: reading,
    effect: "read",
    parameters: (strictness) => [limitParameter(strictness), cursorParameter(strictness)],
    successes: () => [
      {
        status: 200,
        description: "A page of repositories.",
        schema: ref("RepositoryPage"),
      },
    ],
    problems: ["database-not-found", "foreign-resource"],
    clauses: ["REPO-05", "REPO-06", "REPO-08", "GEN-03", "GEN-04", ...accessClauses],
    example: { parameters: inDatabase, response: { repositories: [repository], nextCursor: null } },
  },
  getRepository: {
    tag: "Repositories",
    summary: "Get a repository",
    routes: { method: "get", path: `${prefix}/{repositoryId}` },
    access: reading,
    effect: "read",
    successes: () => [{ status: 200, description: "The repository.", schema: ref("Repository") }],
    problems: ["database-not-found", "repository-not-found", "foreign-resource"],
    clauses: ["REPO-06", "REPO-07", "REPO-08", "GEN-01", ...accessClauses],
    example: { parameters: inRepository, response: repository },
  },
  deleteRepository: {
    tag: "Repositories",
    summary: "Delete a repository and all its entities",
    routes: { method: "delete", path: `${prefix}/{repositoryId}` },
    access: writing,
    effect: "write",
    successes: () => [{ status: 204, description: "The repository and its entities are gone." }],
    problems: ["database-not-found", "repository-not-found", "foreign-resource"],
    clauses: ["REPO-09", "ORG-32", "ORG-33", "AUTH-26", ...accessClauses],
    example: { parameters: inRepository },
  },
});
