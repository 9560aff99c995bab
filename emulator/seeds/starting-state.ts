import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { fixtureTexts } from "../../fixtures/generated/fixture-texts.js";
import { type FixtureName, fixtureNames, isFixtureName } from "../../fixtures/register.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";
import type { JsonValue } from "../json/json-value.js";
import { createInvalidBodyProblem } from "../domain/problem.js";
import type { Fixtures, NamespacesOptions } from "../namespaces/namespaces.js";
import { Store } from "../store/store.js";
import { buildStateFromSeed } from "./build-state-from-seed.js";
import { validateSeed } from "./validate-seed.js";
import { completeSeed } from "./complete-seed.js";
import { parseSeedText } from "./seed-text.js";
import { SeedError, SeedMistakes } from "./seed-error.js";
import { basename, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Seed } from "../../fixtures/seed.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyStrictly } from "../json/stringify-strictly.js";
import { readSeededCredentials, writeSeededCredentials } from "../store/seeded-credentials.js";

/** A fixture of the user: its name and its starting state. */
export interface SeededState {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Creates the world that the text of a seed describes, in YAML or JSON.
 *
 * @param of what the text is called in messages
 * @param name the default name of the fixture
 * @throws SeedError with every mistake
 */
export function buildStateFromText(
  sqlite: SqlJsStatic,
  text: string,
  of: string,
  name: string,
  idSeedOverrides: readonly number[] = [],
): SeededState {
  const { json, placeOf } = parseSeedText(text, of);
  return buildSeededState(sqlite, json, name, new SeedMistakes(of, placeOf), idSeedOverrides);
}

/** Creates the world that a seed object describes. @throws SeedError with every mistake */
export function buildSeededState(
  sqlite: SqlJsStatic,
  json: JsonValue,
  usualName: string,
  mistakes: SeedMistakes,
  idSeedOverrides: readonly number[] = [],
): SeededState {
  const seed = completeSeed(validateSeed(json, mistakes), mistakes);
  const { name = usualName } = seed;
  const store = Store.create(sqlite);
  try {
    return { name, bytes: buildStateFromSeed(store, seed, name, mistakes, idSeedOverrides) };
  } finally {
    store.close();
  }
}

/** The fixtures of an emulator: the user's own, and the built-in ones with other names. */
export function listFixtures(sqlite: SqlJsStatic, own?: SeededState): Fixtures {
  const builtIn = fixtureNames.filter((name) => name !== own?.name);
  return new Map([
    ...(own === undefined ? [] : [[own.name, () => own.bytes] as const]),
    ...builtIn.map((name) => [name, () => startingState(sqlite, name)] as const),
  ]);
}

/** The starting states of fixtures, cached per process, because opening them is cheaper than filling tables. */
const startingStates = new Map<FixtureName, Uint8Array>();

/** Returns the starting state of a built-in fixture. */
function startingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  let bytes = startingStates.get(fixture);
  if (bytes === undefined) {
    bytes = readStartingState(fixture) ?? buildStartingState(sqlite, fixture);
    startingStates.set(fixture, bytes);
  }
  return bytes;
}

/** Returns the file that the build wrote next to the bundle; undefined if the sources are run directly. */
function readStartingState(fixture: FixtureName): Uint8Array | undefined {
  const file = findPackagedFile(`starting-states/${fixture}.sqlite.gz`);
  return file === undefined ? undefined : gunzipSync(readFileSync(file));
}

/** Reads the seed of a fixture. */
export function buildStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  return buildStateFromText(sqlite, fixtureTexts[fixture], `fixtures/${fixture}.yaml`, fixture).bytes;
}

/** The chosen fixture, all fixtures, and a function that makes a fixture of a request. */
type OpenedFixture = Pick<NamespacesOptions, "fixture" | "fixtures" | "buildState">;

/**
 * @param chosen the name of a fixture, the path or URL of a seed file, or a seed
 * @param idSeedOverrides random seeds for ids, from an option, in place of those in seed files
 * @throws SeedError with every mistake in a seed; Error for a file that cannot be read
 */
export function openFixture(
  sqlite: SqlJsStatic,
  chosen: string | URL | Seed,
  idSeedOverrides: readonly number[] = [],
): OpenedFixture {
  const buildState = (seed: JsonValue) => buildRequestedState(sqlite, seed, idSeedOverrides);
  if (typeof chosen === "string" && isFixtureName(chosen))
    return { fixture: chosen, fixtures: listFixtures(sqlite), buildState };
  const isFile = typeof chosen === "string" || chosen instanceof URL;
  const own = isFile
    ? readSeedFile(sqlite, chosen, idSeedOverrides)
    : seedObject(sqlite, chosen, idSeedOverrides);
  return { fixture: own.name, fixtures: listFixtures(sqlite, own), buildState };
}

function buildRequestedState(
  sqlite: SqlJsStatic,
  seed: JsonValue,
  idSeedOverrides: readonly number[],
): Uint8Array {
  try {
    return buildSeededState(sqlite, seed, "seed", new SeedMistakes("the fixture"), idSeedOverrides).bytes;
  } catch (error) {
    if (error instanceof SeedError) throw createInvalidBodyProblem("/fixture", error.message);
    throw error;
  }
}

function readSeedFile(
  sqlite: SqlJsStatic,
  file: string | URL,
  idSeedOverrides: readonly number[],
): SeededState {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read: ${message}`;
    throw new Error(`the seed file ${resolve(path)} ${why}`, { cause: error });
  }
  const name = basename(path, extname(path))
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
  return buildStateFromText(sqlite, text, path, name === "" ? "seed" : name, idSeedOverrides);
}

function seedObject(sqlite: SqlJsStatic, seed: Seed, idSeedOverrides: readonly number[]): SeededState {
  const mistakes = new SeedMistakes("the seed");
  const text = stringifyStrictly(seed, (pointer, detail) => mistakes.add(pointer, detail));
  mistakes.refuse();
  return buildSeededState(sqlite, parseJson(text, { maxDepth: 1000 }), "seed", mistakes, idSeedOverrides);
}

/**
 * Converts the state in a file to a starting state. Users with known passwords and API keys count as seeded, so that the
 * start message can say how to log in.
 */
export function markCredentialsAsSeeded(sqlite: SqlJsStatic, bytes: Uint8Array): Uint8Array {
  const store = Store.open(sqlite, bytes);
  try {
    const before = readSeededCredentials(store);
    const known = store.users
      .all()
      .map(({ userId }) => userId)
      .filter((userId) => store.passwords.of(userId) !== undefined);
    const seeded = {
      users: merged(before.users, known),
      apiKeys: merged(
        before.apiKeys,
        store.credentials.allApiKeys().map(({ apiKeyId }) => apiKeyId),
      ),
    };
    if (JSON.stringify(seeded) === JSON.stringify(before)) return bytes;
    writeSeededCredentials(store, seeded);
    return store.export();
  } finally {
    store.close();
  }
}

/** Returns the existing ones in their order, followed by the others. */
function merged(before: readonly string[], now: readonly string[]): string[] {
  const there = new Set(now);
  return [...new Set([...before.filter((id) => there.has(id)), ...now])];
}
