import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { SqlJsStatic } from "sql.js";
import { isFixtureName } from "../../fixtures/register.js";
import type { Seed } from "../../fixtures/seed.js";
import { toJsonCopy } from "../control/to-json-copy.js";
import { Problem } from "../domain/problem.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import type { FixtureStates } from "../namespaces/namespaces.js";
import { SeedMistakes } from "./seed-error.js";
import { fixtureStates, readSeed, type SeededState, seededState } from "./starting-state.js";

/** What somebody chose to begin with, and the fixtures that there are beside it. */
export interface OpenedFixture {
  readonly fixture: string;
  readonly fixtures: FixtureStates;
}

/**
 * @param chosen the name of a fixture, the path or URL of a seed file, or a seed
 * @throws SeedError with every mistake in a seed; Error for a file that cannot be read
 */
export function openFixture(sqlite: SqlJsStatic, chosen: string | URL | Seed): OpenedFixture {
  if (typeof chosen === "string" && isFixtureName(chosen))
    return { fixture: chosen, fixtures: fixtureStates(sqlite) };
  const isFile = typeof chosen === "string" || chosen instanceof URL;
  const own = isFile ? readSeedFile(sqlite, chosen) : seedObject(sqlite, chosen);
  return { fixture: own.name, fixtures: fixtureStates(sqlite, own) };
}

function readSeedFile(sqlite: SqlJsStatic, file: string | URL): SeededState {
  const path = file instanceof URL ? fileURLToPath(file) : file;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : `cannot be read: ${message}`;
    throw new Error(`the seed file ${path} ${why}`, { cause: error });
  }
  const name = basename(path, extname(path))
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64);
  return readSeed(sqlite, text, path, name === "" ? "seed" : name);
}

function seedObject(sqlite: SqlJsStatic, seed: Seed): SeededState {
  const mistakes = new SeedMistakes("the seed");
  let json: JsonValue = null;
  try {
    json = parseJson(JSON.stringify(toJsonCopy(seed)), { maxDepth: 1000 });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    for (const { pointer, detail } of error.violations) mistakes.add(pointer, detail);
  }
  mistakes.refuse();
  return seededState(sqlite, json, "seed", mistakes);
}
