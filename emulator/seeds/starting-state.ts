import { readFileSync } from "node:fs";
import type { SqlJsStatic } from "sql.js";
import { fixtureTexts } from "../../fixtures/generated/fixture-texts.js";
import type { FixtureName } from "../../fixtures/register.js";
import { packagedFile } from "../../openapi/packaged/packaged-file.js";
import { readSeed } from "./read-seed.js";

/** The bytes of every fixture's starting state, once a process: opening them is cheaper than filling tables. */
const startingStates = new Map<FixtureName, Uint8Array>();

/** The state that a fixture of the package begins with. */
export function startingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  let bytes = startingStates.get(fixture);
  if (bytes === undefined) {
    bytes = readStartingState(fixture) ?? writeStartingState(sqlite, fixture);
    startingStates.set(fixture, bytes);
  }
  return bytes;
}

/** What the build wrote beside the bundle; nothing when the sources run as they are. */
function readStartingState(fixture: FixtureName): Uint8Array | undefined {
  const file = packagedFile(`starting-states/${fixture}.sqlite`);
  return file === undefined ? undefined : readFileSync(file);
}

/** Reads the seed of a fixture. */
export function writeStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  return readSeed(sqlite, fixtureTexts[fixture], { of: `fixtures/${fixture}.yaml`, name: fixture }).bytes;
}
