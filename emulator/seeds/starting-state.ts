import { readFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { SqlJsStatic } from "sql.js";
import { fixtureTexts } from "../../fixtures/generated/fixture-texts.js";
import { type FixtureName, fixtureNames, isFixtureName } from "../../fixtures/register.js";
import type { Seed } from "../../fixtures/seed.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyStrictly } from "../json/stringify-strictly.js";
import type { NamespacesOptions } from "../namespaces/namespaces.js";
import { readSeededCredentialIds, writeSeededCredentialIds } from "../store/seeded-credentials.js";
import { Store } from "../store/store.js";
import { buildStateFromSeed, type SeedOptions } from "./build-state-from-seed.js";
import { countSeedEntries } from "./count-seed-entries.js";
import { SeedError, SeedMistakes } from "./seed-error.js";
import { parseSeedText } from "./seed-text.js";
import { validateSeed } from "./validate-seed.js";

/** A seed that has not been validated yet. */
interface ParsedSeed {
  readonly json: JsonValue;
  readonly mistakes: SeedMistakes;
  /** The name of the fixture, unless the seed contains one. */
  readonly defaultName: string;
}

/**
 * Opens the fixture of an emulator.
 *
 * @param chosen the name of a built-in fixture, the path or URL of a seed file, or a seed
 * @param options the profile of the emulator, and the random seeds for ids that replace those in seed files
 * @throws SeedError with every mistake in a seed; Error for a file that cannot be read
 */
export function openFixture(
  sqlite: SqlJsStatic,
  chosen: string | URL | Seed,
  options: SeedOptions = {},
): Pick<NamespacesOptions, "fixture" | "fixtures" | "buildState"> {
  const isBuiltIn = typeof chosen === "string" && isFixtureName(chosen);
  const own = isBuiltIn ? undefined : buildState(sqlite, parseSeed(chosen), options);
  const fixtures = new Map(own && [[own.name, () => own.bytes]]);
  for (const name of fixtureNames)
    if (name !== own?.name) fixtures.set(name, () => getStartingState(sqlite, name));
  return {
    fixture: own?.name ?? (chosen as FixtureName),
    fixtures,
    buildState: (json) => {
      rejectTooManyEntries(json);
      try {
        const mistakes = new SeedMistakes("the fixture");
        return buildState(sqlite, { json, mistakes, defaultName: "seed" }, options).bytes;
      } catch (error) {
        if (error instanceof SeedError) throw createInvalidBodyProblem("/fixture", error.message);
        throw error;
      }
    },
  };
}

/** Limits the work of a request that contains a fixture. @throws a problem `request-too-large` */
function rejectTooManyEntries(json: JsonValue): void {
  const { seedEntries } = emulatorDefinedLimits;
  if (countSeedEntries(json) > seedEntries)
    throw new Problem(
      "request-too-large",
      `A fixture in a request can have at most ${seedEntries} items, entities and rows. Each row counts once more for ` +
        "each index, and everything else counts as ten. Start the emulator with a larger fixture.",
    );
}

function buildState(
  sqlite: SqlJsStatic,
  { json, mistakes, defaultName }: ParsedSeed,
  options: SeedOptions = {},
) {
  const seed = validateSeed(json, mistakes);
  const { name = defaultName } = seed;
  const store = Store.create(sqlite);
  try {
    return { name, bytes: buildStateFromSeed(store, { ...seed, name }, mistakes, options) };
  } finally {
    store.close();
  }
}

function parseSeed(chosen: string | URL | Seed): ParsedSeed {
  if (typeof chosen === "string" || chosen instanceof URL) return readSeedFile(chosen);
  const mistakes = new SeedMistakes("the seed");
  const text = stringifyStrictly(chosen, (pointer, detail) => mistakes.add(pointer, detail));
  mistakes.throwIfAny();
  return { json: parseJson(text, { maxDepth: 1000 }), mistakes, defaultName: "seed" };
}

function readSeedFile(file: string | URL): ParsedSeed {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === "ENOENT"
        ? "does not exist"
        : code === "ERR_ENCODING_INVALID_ENCODED_DATA"
          ? "is not encoded as UTF-8"
          : `cannot be read: ${message}`;
    throw new Error(`the seed file ${resolve(path)} ${reason}`, { cause: error });
  }
  const name = basename(path, extname(path))
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
  return parseText(text, path, name || "seed");
}

/** @param source what messages call the text */
function parseText(text: string, source: string, defaultName: string): ParsedSeed {
  const { json, locate } = parseSeedText(text, source);
  return { json, mistakes: new SeedMistakes(source, locate), defaultName };
}

/** The starting states of built-in fixtures, cached because opening a state is faster than building it. */
const startingStates = new Map<FixtureName, Uint8Array>();

function getStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  let bytes = startingStates.get(fixture);
  if (bytes === undefined) {
    // The build writes these files; they are missing if the sources are run directly.
    const file = findPackagedFile(`starting-states/${fixture}.sqlite.gz`);
    bytes = file === undefined ? buildStartingState(sqlite, fixture) : gunzipSync(readFileSync(file));
    startingStates.set(fixture, bytes);
  }
  return bytes;
}

/** Builds the starting state of a built-in fixture. */
export function buildStartingState(sqlite: SqlJsStatic, fixture: FixtureName): Uint8Array {
  const seed = parseText(fixtureTexts[fixture], `fixtures/${fixture}.yaml`, fixture);
  return buildState(sqlite, seed).bytes;
}

/**
 * Marks the API keys in a state, and the users whose passwords are known, as seeded, so that the start message can say how
 * to log in.
 *
 * @returns the changed state
 */
export function markCredentialsAsSeeded(sqlite: SqlJsStatic, bytes: Uint8Array): Uint8Array {
  const store = Store.open(sqlite, bytes);
  try {
    // Users who were marked before come first, in the same order.
    const users = [...readSeededCredentialIds(store).users, ...store.users.all().map(({ userId }) => userId)];
    writeSeededCredentialIds(store, {
      users: [...new Set(users)].filter((userId) => store.passwords.of(userId) !== undefined),
      apiKeys: store.credentials.allApiKeys().map(({ apiKeyId }) => apiKeyId),
    });
    return store.export();
  } finally {
    store.close();
  }
}
