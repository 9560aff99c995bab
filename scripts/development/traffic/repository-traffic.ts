import type { entityOperations } from "../../../openapi/operations/entities.js";
import type { repositoryOperations } from "../../../openapi/operations/repositories.js";
import { refused, type Traffic, unavailable } from "./traffic.js";
import type { World } from "./traffic-world.js";

/** Repositories and entities: those of the examples, and those of the demo fixture with and without a schema. */
export function repositoryTraffic(
  world: World,
): Traffic<keyof typeof repositoryOperations | keyof typeof entityOperations> {
  const inDemo = { databaseId: "db_demo" };
  const products = { ...inDemo, repositoryId: "repo_demo_products" };
  const events = { ...inDemo, repositoryId: "repo_demo_events" };
  const invalid = { status: refused("validation-failed") };
  const large = { data: { text: "x".repeat(400 * 1024) } };
  const odd = { data: { "": [null, true, 1e21, "ü"], nested: { deep: [{}] } } };
  const repositoryKey = "dsk_demo_repository_read";
  return {
    createRepository: [
      { status: 201 },
      { status: 201, body: { name: "without a schema", entityName: "Anything" } },
      { status: refused("conflict"), body: { name: "traffic", entityName: "Product" } },
      {
        ...invalid,
        body: { name: "broken", entityName: "Broken", schema: { a: { type: "text", min: "1" } } },
      },
    ],
    listRepositories: [
      { status: 200 },
      { status: 200, parameters: inDemo },
      { status: 200, parameters: { ...inDemo, limit: 1 } },
      { ...invalid, parameters: { limit: 0 } },
      { ...invalid, parameters: { cursor: "stale" } },
    ],
    getRepository: [
      { status: 200 },
      { status: 200, parameters: products },
      { status: 200, parameters: events },
      { status: refused("repository-not-found"), parameters: inDemo },
    ],
    deleteRepository: [{ status: 204 }, { status: 204, parameters: products }],
    createEntity: [
      { status: 201 },
      { status: 201, parameters: events, body: odd },
      { status: 201, credential: "dsk_demo_repository_write" },
      { ...invalid, body: { data: { title: "", price: -1, tags: [1], inStock: "no" } } },
      { ...invalid, parameters: products, body: { data: { maker: { country: "Finland" } } } },
      { status: refused("item-too-large"), parameters: events, body: large },
      unavailable(world),
    ],
    listEntities: [
      { status: 200 },
      { status: 200, parameters: products, credential: repositoryKey },
      { status: 200, parameters: { ...events, limit: 1 } },
      { ...invalid, parameters: { limit: 0 } },
      { ...invalid, parameters: { cursor: "stale" } },
      unavailable(world),
    ],
    getEntity: [
      { status: 200 },
      { status: 200, parameters: { ...products, entityId: "ent_demo_lamp" }, credential: repositoryKey },
      { status: 200, parameters: { ...events, entityId: "ent_demo_order" } },
      unavailable(world),
    ],
    updateEntity: [
      { status: 200 },
      { status: 200, parameters: { ...events, entityId: "ent_demo_note" }, body: odd },
      { ...invalid, body: { data: { title: 17 } } },
      {
        status: refused("item-too-large"),
        parameters: { ...events, entityId: "ent_demo_note" },
        body: large,
      },
      unavailable(world),
    ],
    deleteEntity: [
      { status: 204 },
      { status: 204, parameters: { ...products, entityId: "ent_demo_cup" } },
      unavailable(world),
    ],
    queryEntities: [
      { status: 200 },
      { status: 200, body: {} },
      {
        status: 200,
        parameters: products,
        body: { sortBy: "price", sortOrder: "asc", limit: 2 },
        credential: repositoryKey,
      },
      { status: 200, body: { filter: "title = :title", filterValues: { ":title": "nothing" } } },
      { ...invalid, body: { filter: "title = :missing" } },
      { ...invalid, body: { sortBy: "price", cursor: "stale" } },
      unavailable(world),
    ],
  };
}
