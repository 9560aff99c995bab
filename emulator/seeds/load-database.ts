import type { UserCaller } from "../access/caller.js";
import type { SeedItem } from "../../fixtures/seed.js";
import { isJsonObject, type JsonValue, memberEntries } from "../json/json-value.js";
import type { Attempts } from "./attempts.js";
import { timeOf } from "./complete-seed.js";
import type { WholeDatabase } from "./whole-seed.js";
import { type DatabasePlace, elements, member } from "./database-place.js";
import { loadRepository } from "./load-repository.js";
import { loadTable } from "./load-table.js";
import type { SeedService } from "./seed-service.js";

/** @param json the database as it was written */
export function loadDatabase(
  service: SeedService,
  attempts: Attempts,
  database: WholeDatabase,
  by: UserCaller,
  json: JsonValue,
): void {
  const { pointer, given, databaseId, region, createdAt } = database;
  const isMade = attempts.try(pointer, () => {
    const body = new Map<string, JsonValue>([
      ["name", given.name],
      ["region", region],
    ]);
    const settings = member(json, "settings");
    if (settings !== undefined) body.set("settings", settings);
    service.call("createDatabase", {}, body, { by, at: createdAt, ids: { db: databaseId } });
  });
  if (!isMade) return;
  const { databases } = service.store;
  const ref = databases.find(databaseId)?.ref;
  if (ref === undefined) throw new Error("a database that was made has a row");
  const place = { service, attempts, databaseId, ref, by };
  elements(json, "items").forEach((item, index) =>
    loadItem(place, `${pointer}/items/${index}`, given.items?.[index], item, createdAt),
  );
  const repositories = elements(json, "repositories");
  database.repositories.forEach((repository, index) =>
    loadRepository(place, repository, repositories[index] ?? null),
  );
  elements(json, "tables").forEach((table, index) => {
    const { create = "", indexes, createdAt: made } = given.tables?.[index] ?? {};
    const definition = { create, indexes: indexes ?? [], createdAt: timeOf(made) ?? createdAt };
    loadTable(place, `${pointer}/tables/${index}`, definition, elements(table, "rows"));
  });
  const { status = "Active" } = given;
  const readyAt = timeOf(given.readyAt) ?? null;
  databases.setState(ref, { status, readyAt, updatedAt: timeOf(given.updatedAt) ?? createdAt });
}

function loadItem(
  { service, attempts, databaseId, ref, by }: DatabasePlace,
  pointer: string,
  given: SeedItem | undefined,
  json: JsonValue,
  usual: number,
): void {
  attempts.try(pointer, () => {
    const at = timeOf(given?.createdAt) ?? usual;
    const known = [...memberEntries(isJsonObject(json) ? json : {})].filter(([name]) =>
      ["pk", "sk", "data"].includes(name),
    );
    service.call("putItem", { databaseId }, new Map(known), { by, at });
    const updatedAt = timeOf(given?.updatedAt) ?? at;
    const row = service.store.items.get(ref, given?.pk ?? "", given?.sk ?? "");
    if (row === undefined) throw new Error("an item that was put is there");
    if (row.createdAt !== at || row.updatedAt !== at)
      attempts.mistakes.push({ pointer, detail: "another item has the same keys" });
    if (updatedAt !== at) service.store.items.put(ref, { ...row, updatedAt });
  });
}
