import type { SqlJsStatic } from "sql.js";
import type { JsonValue } from "../json/json-value.js";
import { Store } from "../store/store.js";
import { loadSeed } from "./load-seed.js";
import { readSeedText } from "./read-seed-text.js";
import { SeedError } from "./seed-mistake.js";

/** A fixture of somebody's own: what it is called, and the world that it begins with. */
export interface SeededState {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The world that a text of a seed describes, YAML or JSON.
 *
 * @throws SeedError with every mistake
 */
export function readSeed(
  sqlite: SqlJsStatic,
  text: string,
  { of, name }: { readonly of: string; readonly name: string },
): SeededState {
  const { json, placeOf } = readSeedText(text, of);
  return seededState(sqlite, json, { of, name, placeOf });
}

/** The same for a seed that is an object of the program. @throws SeedError with every mistake */
export function seededState(
  sqlite: SqlJsStatic,
  json: JsonValue,
  {
    of,
    name,
    placeOf,
  }: { readonly of: string; readonly name: string; readonly placeOf?: (pointer: string) => string },
): SeededState {
  const store = Store.create(sqlite);
  try {
    const loaded = loadSeed(store, json, name);
    if ("mistakes" in loaded) throw new SeedError(of, loaded.mistakes, placeOf);
    return loaded;
  } finally {
    store.close();
  }
}
