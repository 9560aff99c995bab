import { readFile } from "node:fs/promises";
import type { Profile } from "../../openapi/gaps/profile.js";
import { readProfile } from "../../openapi/document/read-profile.js";
import { fail } from "./command-error.js";

/**
 * Reads a profile file and completes it with the default answers; ends the command when it cannot be used.
 *
 * @param base answers that hold where the file has none
 */
export async function readProfileFile(
  path: string | undefined,
  base: Partial<Profile> = {},
): Promise<Partial<Profile>> {
  if (path === undefined) return base;
  const text = await readFile(path, "utf8").catch((error: unknown) =>
    fail(`cannot read the profile ${path}: ${error instanceof Error ? error.message : String(error)}`),
  );
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    fail(`the profile ${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const completed = readProfile(isObject ? { ...base, ...(given as object) } : given);
  if ("profile" in completed) return completed.profile;
  const lines = completed.mistakes.map(({ gap, detail }) => `  ${gap === "" ? "" : `${gap}: `}${detail}`);
  return fail(`the profile ${path} has mistakes:\n${lines.join("\n")}`);
}
