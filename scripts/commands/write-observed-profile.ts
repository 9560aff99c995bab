import { existsSync, readFileSync } from "node:fs";
import type { Observation } from "../../conformance/observe/observation.js";
import { buildObservedProfile } from "../../conformance/observe/observed-profile.js";
import { writeFileAtomically } from "./write-file-atomically.js";

/**
 * Writes what was observed as a profile file. A file that says the same already is left as it is.
 *
 * @param baseUrl of the deployment
 */
export function writeObservedProfile(
  path: string,
  observations: readonly Observation[],
  baseUrl: string,
): void {
  const today = new Date().toISOString().slice(0, 10);
  const before = existsSync(path) ? parseOrUndefined(readFileSync(path, "utf8")) : undefined;
  const text = `${JSON.stringify(buildObservedProfile(observations, baseUrl, today, before), null, 2)}\n`;
  writeFileAtomically(path, new TextEncoder().encode(text));
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
