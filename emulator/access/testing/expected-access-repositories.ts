import type { Scope } from "../../../openapi/schemas/roles.js";
import { type ExpectedAccess, everyone, writers } from "./expected-access.js";

const management = "/api/v1/management/databases/db_demo/repositories";
const products = `${management}/repo_demo_products`;
const events = "/api/v1/repositories/repo_demo_events";
const entityReaders: readonly Scope[] = ["repository:read", "repository:*", "*"];
const entityWriters: readonly Scope[] = ["repository:write", "repository:*", "*"];

/** Part 4.4 and 5: repository management requires a JWT; 4.6: readonly has view-only access. */
export const expectedRepositoryAccess = {
  createRepository: {
    success: 201,
    roles: writers,
    scopes: [],
    path: management,
    body: { name: "access", entityName: "Access" },
  },
  listRepositories: { success: 200, roles: everyone, scopes: [], isRead: true, path: management },
  getRepository: { success: 200, roles: everyone, scopes: [], isRead: true, path: products },
  deleteRepository: { success: 204, roles: writers, scopes: [], path: products },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;

/** Part 5: repository:read reads entities, repository:write writes and deletes them; 4.6: readonly looks. */
export const expectedEntityAccess = {
  createEntity: { success: 201, roles: writers, scopes: entityWriters, path: events, body: { data: {} } },
  listEntities: { success: 200, roles: everyone, scopes: entityReaders, isRead: true, path: events },
  getEntity: {
    success: 200,
    roles: everyone,
    scopes: entityReaders,
    isRead: true,
    path: `${events}/ent_demo_note`,
  },
  updateEntity: {
    success: 200,
    roles: writers,
    scopes: entityWriters,
    path: `${events}/ent_demo_note`,
    body: { data: {} },
  },
  deleteEntity: { success: 204, roles: writers, scopes: entityWriters, path: `${events}/ent_demo_note` },
  queryEntities: {
    success: 200,
    roles: everyone,
    scopes: entityReaders,
    isRead: true,
    path: `${events}/query`,
    body: {},
  },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;
