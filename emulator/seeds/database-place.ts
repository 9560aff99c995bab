import type { UserCaller } from "../access/caller.js";
import { isJsonArray, isJsonObject, type JsonValue, memberOf } from "../json/json-value.js";
import type { Attempts } from "./attempts.js";
import type { SeedService } from "./seed-service.js";

/** What a part of a database is loaded with. */
export interface DatabasePlace {
  readonly service: SeedService;
  readonly attempts: Attempts;
  readonly databaseId: string;
  readonly ref: number;
  readonly by: UserCaller;
}

/** A member as it was written. */
export function member(json: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(json) ? memberOf(json, name) : undefined;
}

/** The elements of a list as they were written; none where it is empty or left out. */
export function elements(json: JsonValue, name: string): readonly JsonValue[] {
  const list = member(json, name);
  return isJsonArray(list) ? list : [];
}
