import type { ClauseId } from "../clauses/register.js";
import { allowedAnswers, type Strictness } from "../gaps/strictness.js";
import type { ProblemKind } from "./problems.js";
import { cursorParameter, limitParameter } from "./parameters.js";
import { type Access, defineOperations } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles, writingRoles } from "../schemas/roles.js";

const prefix = "/api/v1/repositories/{repositoryId}";

const reading: Access = {
  kind: "protected",
  roles: allRoles,
  roleIn: "token",
  scope: "repository:read",
  tokenGap: "data-credential",
};
const writing: Access = {
  kind: "protected",
  roles: writingRoles,
  roleIn: "token",
  scope: "repository:write",
  tokenGap: "data-credential",
};
const repositoryProblems: readonly ProblemKind[] = [
  "repository-not-found",
  "foreign-resource",
  "database-unavailable",
  "quota-exhausted",
];
const accessClauses: readonly ClauseId[] = [
  "AUTH-15",
  "AUTH-16",
  "AUTH-17",
  "AUTH-22",
  "AUTH-24",
  "REPO-39",
  "REPO-40",
  "REPO-41",
  "REPO-42",
  "REPO-43",
  "REPO-44",
  "GEN-02",
  "GEN-05",
  "GEN-06",
  "GEN-08",
];
const schemaClauses: readonly ClauseId[] = [
  "REPO-10",
  "REPO-11",
  "REPO-12",
  "REPO-13",
  "REPO-14",
  "REPO-15",
  "REPO-16",
  "REPO-17",
  "REPO-18",
  "REPO-19",
  "REPO-20",
  "REPO-21",
  "REPO-22",
];

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

/** What the profile shows of an entity. */
function shown({ version, ...others }: typeof entity, strictness: Strictness) {
  return allowedAnswers(strictness, "entity-version-field").includes("shown")
    ? { ...others, version }
    : others;
}

const example = (strictness: Strictness) => shown(entity, strictness);
const updatedExample = (strictness: Strictness) => shown(updated, strictness);
const page = (strictness: Strictness) => ({
  entities: [example(strictness)],
  nextCursor: null,
  totalCount: 1,
});
const inRepository = { repositoryId: "repo_demo_products" };
const ofEntity = { ...inRepository, entityId: entity.id };

/** Entities of repositories (part 4.3). */
export const entityOperations = defineOperations({
  createEntity: {
    tag: "Entities",
    summary: "Create an entity",
    routes: { method: "post", path: prefix },
    access: writing,
    effect: "write",
    requestBody: ref("WriteEntityRequest"),
    successes: () => [{ status: 201, description: "The entity is there.", schema: ref("Entity") }],
    problems: [...repositoryProblems, "item-too-large", "ceiling-reached"],
    clauses: [
      "REPO-23",
      "REPO-24",
      "REPO-25",
      "REPO-26",
      "REPO-27",
      "DB-17",
      "AUTH-26",
      "GEN-01",
      "GEN-09",
      ...schemaClauses,
      ...accessClauses,
    ],
    example: {
      parameters: inRepository,
      request: { data: { sku: "KIT-1001", title: "Teapot", price: 24.5, tags: ["kitchen"] } },
      response: example,
    },
  },
  listEntities: {
    tag: "Entities",
    summary: "List the entities of a repository",
    routes: { method: "get", path: prefix },
    access: reading,
    effect: "read",
    parameters: (strictness) => [limitParameter(strictness), cursorParameter(strictness)],
    successes: () => [{ status: 200, description: "A page of entities.", schema: ref("EntityPage") }],
    problems: repositoryProblems,
    clauses: ["REPO-33", "REPO-34", "REPO-35", "GEN-03", "GEN-04", "GEN-07", ...accessClauses],
    example: { parameters: inRepository, response: page },
  },
  getEntity: {
    tag: "Entities",
    summary: "Get an entity",
    routes: { method: "get", path: `${prefix}/{entityId}` },
    access: reading,
    effect: "read",
    successes: () => [{ status: 200, description: "The entity.", schema: ref("Entity") }],
    problems: [...repositoryProblems, "entity-not-found"],
    clauses: ["REPO-28", "REPO-29", "GEN-01", ...accessClauses],
    example: { parameters: ofEntity, response: example },
  },
  updateEntity: {
    tag: "Entities",
    summary: "Update an entity",
    routes: { method: "put", path: `${prefix}/{entityId}` },
    access: writing,
    effect: "write",
    requestBody: ref("WriteEntityRequest"),
    successes: () => [
      { status: 200, description: "The updated entity.", schema: ref("Entity"), gap: "entity-put" },
    ],
    problems: [...repositoryProblems, "entity-not-found", "item-too-large", "ceiling-reached"],
    clauses: [
      "REPO-24",
      "REPO-26",
      "REPO-27",
      "REPO-29",
      "REPO-30",
      "REPO-31",
      "DB-17",
      "AUTH-26",
      "GEN-01",
      "GEN-09",
      ...schemaClauses,
      ...accessClauses,
    ],
    example: { parameters: ofEntity, request: { data: updated.data }, response: updatedExample },
  },
  deleteEntity: {
    tag: "Entities",
    summary: "Delete an entity",
    routes: { method: "delete", path: `${prefix}/{entityId}` },
    access: writing,
    effect: "write",
    successes: () => [
      { status: 204, description: "The entity is gone, or was not there.", gap: "delete-missing-entity" },
    ],
    problems: [...repositoryProblems, "entity-not-found"],
    clauses: ["REPO-29", "REPO-32", "AUTH-26", ...accessClauses],
    example: { parameters: ofEntity },
  },
  queryEntities: {
    tag: "Entities",
    summary: "Find entities by a filter, in the order of a field",
    routes: { method: "post", path: `${prefix}/query` },
    access: reading,
    effect: "read",
    requestBody: ref("QueryEntitiesRequest"),
    successes: () => [{ status: 200, description: "A page of entities.", schema: ref("EntityPage") }],
    problems: repositoryProblems,
    clauses: [
      "REPO-33",
      "REPO-34",
      "REPO-36",
      "REPO-37",
      "REPO-38",
      "GEN-03",
      "GEN-04",
      "GEN-07",
      "GEN-09",
      ...accessClauses,
    ],
    example: {
      parameters: inRepository,
      request: {
        filter: "inStock = :inStock",
        filterValues: { ":inStock": true },
        sortBy: "price",
        sortOrder: "desc",
        limit: 10,
      },
      response: page,
    },
  },
});
