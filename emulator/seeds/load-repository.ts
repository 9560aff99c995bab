import type { JsonValue } from "../json/json-value.js";
import type { WholeRepository } from "./whole-seed.js";
import { timeOf } from "./complete-seed.js";
import { type DatabasePlace, elements, member } from "./database-place.js";

/** @param json the repository as it was written */
export function loadRepository(place: DatabasePlace, repository: WholeRepository, json: JsonValue): void {
  const { service, attempts, databaseId, by } = place;
  const { pointer, given, repositoryId, entityName, entityIds, createdAt } = repository;
  const { store } = service;
  const isMade = attempts.try(pointer, () => {
    const body = new Map<string, JsonValue>([
      ["name", given.name],
      ["entityName", entityName],
    ]);
    const schema = member(json, "schema");
    if (schema !== undefined) body.set("schema", schema);
    const making = { by, at: createdAt, ids: { repo: repositoryId } };
    service.call("createRepository", { databaseId }, body, making);
  });
  const row = isMade ? store.repositories.byId(repositoryId) : undefined;
  if (row === undefined) return;
  const { ref } = row;
  elements(json, "entities").forEach((entity, index) => {
    const id = entityIds[index] ?? "";
    const told = given.entities?.[index];
    const version = told?.version ?? 1;
    const at = timeOf(told?.createdAt) ?? createdAt;
    attempts.try(`${pointer}/entities/${index}`, () => {
      const body = new Map<string, JsonValue>([["data", member(entity, "data") ?? null]]);
      service.call("createEntity", { repositoryId }, body, { by, at, ids: { ent: id } });
      const updatedAt = timeOf(told?.updatedAt) ?? at;
      const made = store.entities.get(ref, id);
      if (made === undefined) throw new Error("an entity that was made is there");
      if (version !== 1 || updatedAt !== at) store.entities.update(ref, { ...made, version, updatedAt });
    });
  });
  const updatedAt = timeOf(given.updatedAt);
  if (updatedAt !== undefined) store.repositories.setUpdatedAt(ref, updatedAt);
}
