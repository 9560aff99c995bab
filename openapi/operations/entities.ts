import { type ClauseId, getClauseRange } from "../clauses/register.js";
import type { ProblemKind } from "./problems.js";
import { buildPageParameters, pagingDescription } from "./parameters.js";
import {
  defineDataAccess,
  defineOperationGroup,
  defineSuccess,
  get,
  post,
  put,
  remove,
} from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writeAccessRoles } from "../schemas/roles.js";

const prefix = "/api/v1/repositories/{repositoryId}";

const readAccess = defineDataAccess(allRoles, "repository:read");
const writeAccess = defineDataAccess(writeAccessRoles, "repository:write");
const repositoryProblems: readonly ProblemKind[] = [
  "repository-not-found",
  "foreign-resource",
  "database-unavailable",
];
const accessClauses: readonly ClauseId[] = [
  ...getClauseRange("AUTH-15", "AUTH-17"),
  "AUTH-22",
  "AUTH-24",
  ...getClauseRange("REPO-39", "REPO-44"),
  "GEN-02",
  "GEN-05",
  "GEN-06",
  "GEN-08",
];
const schemaClauses: readonly ClauseId[] = [...getClauseRange("REPO-10", "REPO-22")];

const entity = {
  id: "ent_demo_teapot",
  data: { sku: "KIT-1001", title: "Teapot", price: 24.5, inStock: true, tags: ["kitchen"] },
  createdAt: "2030-01-01T00:00:01.000Z",
  updatedAt: "2030-01-01T00:00:01.000Z",
  version: 1,
};
const updated = {
  ...entity,
  data: { ...entity.data, price: 19.9 },
  updatedAt: "2030-01-01T00:00:02.000Z",
  version: 2,
};

const page = { entities: [entity], nextCursor: null, totalCount: 1 };

/** Entities of repositories (part 4.3). */
export const entityOperations = defineOperationGroup({
  tag: "Entities",
  clauses: accessClauses,
  problems: repositoryProblems,
})({
  createEntity: post(prefix, "Create an entity", {
    description:
      "The service generates the id and the timestamps. It validates the data against the repository's schema, fills " +
      "in defaults, and reports every violation with its location. Fields that are not in the schema are kept (gap " +
      "`entity-unknown-fields`). Null is not valid for any type (gap `entity-null-fields`).",
    access: writeAccess,
    requestBody: ref("WriteEntityRequest"),
    successes: [defineSuccess(201, "The entity was created.", "Entity")],
    problems: ["item-too-large", "ceiling-reached"],
    clauses: ["REPO-23", ...getClauseRange("REPO-24", "REPO-27"), "DB-17", "GEN-01", ...schemaClauses],
    example: {
      request: { data: { sku: "KIT-1001", title: "Teapot", price: 24.5, tags: ["kitchen"] } },
      response: entity,
    },
  }),
  listEntities: get(prefix, "List the entities in a repository", {
    description: `Returns the oldest entities first (gap \`entity-list-order\`). \`totalCount\` is the total number of entities in the repository. ${pagingDescription}`,
    access: readAccess,
    parameters: buildPageParameters,
    successes: [defineSuccess(200, "A page of entities.", "EntityPage")],
    clauses: ["REPO-33", "REPO-34", "REPO-35", "GEN-03", "GEN-04", "GEN-07"],
    example: { response: page },
  }),
  getEntity: get(`${prefix}/{entityId}`, "Get an entity", {
    description: "Returns the entity's data, timestamps and version.",
    access: readAccess,
    successes: [defineSuccess(200, "The entity.", "Entity")],
    problems: ["entity-not-found"],
    clauses: ["REPO-28", "REPO-29", "GEN-01"],
    example: { response: entity },
  }),
  updateEntity: put(`${prefix}/{entityId}`, "Update an entity", {
    description:
      "The new data replaces the old data (gap `entity-put`) and is validated against the schema, as on creation. `updatedAt` " +
      "changes, and the version increases by one. Updates cannot be conditional: the last update wins.",
    access: writeAccess,
    requestBody: ref("WriteEntityRequest"),
    successes: [defineSuccess(200, "The updated entity.", "Entity", { gap: "entity-put" })],
    problems: ["entity-not-found", "item-too-large", "ceiling-reached"],
    clauses: [
      "REPO-30",
      "REPO-24",
      "REPO-26",
      "REPO-27",
      ...getClauseRange("REPO-29", "REPO-31"),
      "DB-17",
      "GEN-01",
      ...schemaClauses,
    ],
    example: { request: { data: updated.data }, response: updated },
  }),
  deleteEntity: remove(`${prefix}/{entityId}`, "Delete an entity", {
    description: "Deleting an entity that does not exist also returns 204 (gap `delete-missing-entity`).",
    access: writeAccess,
    successes: [
      defineSuccess(204, "The entity was deleted, or did not exist.", undefined, {
        gap: "delete-missing-entity",
      }),
    ],
    problems: ["entity-not-found"],
    clauses: ["REPO-32", "REPO-29"],
  }),
  queryEntities: post(`${prefix}/query`, "Find entities with a filter, sorted by a field", {
    description:
      "`filter` compares fields with named values, as in `price >= :least`, and combines comparisons with AND, OR and NOT; the " +
      "specification shows only `<field> = :<name>` (gap `repository-filter-grammar`). `filterValues` contains the value for each " +
      "`:<name>`; its keys include the colon. `sortBy` names a field of the data, `id`, `createdAt` or `updatedAt`. The fields " +
      `do not have to be in the schema (gap \`unknown-query-fields\`). ${pagingDescription}`,
    access: readAccess,
    effect: "read",
    requestBody: ref("QueryEntitiesRequest"),
    successes: [defineSuccess(200, "A page of entities.", "EntityPage")],
    clauses: ["REPO-33", "REPO-34", ...getClauseRange("REPO-36", "REPO-38"), "GEN-03", "GEN-04", "GEN-07"],
    example: {
      request: {
        filter: "inStock = :inStock",
        filterValues: { ":inStock": true },
        sortBy: "price",
        sortOrder: "desc",
        limit: 10,
      },
      response: page,
    },
  }),
});
