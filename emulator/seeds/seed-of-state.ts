import type { SqlJsStatic } from "sql.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { JsonValue } from "../json/json-value.js";
import { openWorld, readStateFile } from "../world/open-world.js";
import { describeWorld } from "./describe-world.js";

/**
 * The world of a state file as a seed.
 *
 * @throws StateFileError for a file that is foreign, damaged or of another version
 */
export function seedOfState(sqlite: SqlJsStatic, file: Uint8Array): JsonValue {
  const world = openWorld(sqlite, { bytes: readStateFile(sqlite, file).bytes }, defaultProfile);
  try {
    return describeWorld(world);
  } finally {
    world.store.close();
  }
}
