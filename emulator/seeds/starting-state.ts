import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { fixtureTexts } from "../../fixtures/generated/fixture-texts.js";
import { type FixtureName, fixtureNames, isFixtureName } from "../../fixtures/register.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";
import type { JsonValue } from "../json/json-value.js";
import type { FixtureStates } from "../namespaces/namespaces.js";
import { Store } from "../store/store.js";
import { applySeed } from "./apply-seed.js";
import { checkSeed } from "./check-seed.js";
import { completeSeed } from "./complete-seed.js";
import { readSeedText } from "./seed-text.js";
import { SeedMistakes } from "./seed-error.js";

/** A fixture of somebody's own: what it is called, and the world that it begins with. */
export interface SeededState {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * The world that a text of a seed describes, YAML or JSON.
 *
 * @param of what the text is called in messages
 * @param name what the fixture is called where the seed does not say so
 * @throws SeedError with every mistake
 */
export function readSeed(sqlite: SqlJsStatic, text: string, of: string, name: string): SeededState {
  const { json, placeOf } = readSeedText(text, of);
  return seededState(sqlite, json, name, new SeedMistakes(of, placeOf));
}

/** The same for a seed that is read already. @throws SeedError with every mistake */
export function seededState(
  sqlite: SqlJsStatic,
  json: JsonValue,
  usualName: string,
  mistakes: SeedMistakes,
): SeededState {
  const seed = completeSeed(checkSeed(json, mistakes), mistakes);
  const { name = usualName } = seed;
  const store = Store.create(sqlite);
  try {
    return { name, bytes: applySeed(store, seed, name, mistakes) };
  } finally {
    store.close();
  }
}

/** The fixtures of an emulator: those of the package, and the one of its own, which comes before one of the same name. */
export function fixtureStates(sqlite: SqlJsStatic, own?: SeededState): FixtureStates {
  return {
    names: [...new Set([...(own === undefined ? [] : [own.name]), ...fixtureNames])],
    getFixtureState: (name) => {
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
  const file = findPackagedFile(`starting-states/${fixture}.sqlite.gz`);
  return file === undefined ? undefined : gunzipSync(readFileSync(file));
}

/** Reads the seed of a fixture. */
export function writeStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  return readSeed(sqlite, fixtureTexts[fixture], `fixtures/${fixture}.yaml`, fixture).bytes;
}
