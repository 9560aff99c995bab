import { readFileSync } from "node:fs";
import type { SqlJsStatic } from "sql.js";
import { fixtureTexts } from "../../fixtures/generated/fixture-texts.js";
import { type FixtureName, fixtureNames, isFixtureName } from "../../fixtures/register.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";
import type { JsonValue } from "../json/json-value.js";
import type { FixtureStates } from "../namespaces/namespaces.js";
import { Store } from "../store/store.js";
import { loadSeed } from "./load-seed.js";
import { readSeedText } from "./seed-text.js";
import { SeedError } from "./seed-error.js";

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

/** The fixtures of an emulator: those of the package, and the one of its own, which comes before one of the same name. */
export function fixtureStates(sqlite: SqlJsStatic, own?: SeededState): FixtureStates {
  return {
    names: [...new Set([...(own === undefined ? [] : [own.name]), ...fixtureNames])],
    stateOf: (name) => {
      if (name === own?.name) return own.bytes;
      return isFixtureName(name) ? startingState(sqlite, name) : undefined;
    },
  };
}

/** The bytes of every fixture's starting state, once a process: opening them is cheaper than filling tables. */
const startingStates = new Map<FixtureName, Uint8Array>();

/** The state that a fixture of the package begins with. */
function startingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  let bytes = startingStates.get(fixture);
  if (bytes === undefined) {
    bytes = readStartingState(fixture) ?? writeStartingState(sqlite, fixture);
    startingStates.set(fixture, bytes);
  }
  return bytes;
}

/** What the build wrote beside the bundle; nothing when the sources run as they are. */
function readStartingState(fixture: FixtureName): Uint8Array | undefined {
  const file = findPackagedFile(`starting-states/${fixture}.sqlite`);
  return file === undefined ? undefined : readFileSync(file);
}

/** Reads the seed of a fixture. */
export function writeStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  return readSeed(sqlite, fixtureTexts[fixture], { of: `fixtures/${fixture}.yaml`, name: fixture }).bytes;
}
