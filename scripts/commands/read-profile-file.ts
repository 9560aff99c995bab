import { isObject } from "../../openapi/text/is-object.js";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isGapId, type Profile } from "../../openapi/gaps/profile.js";
import { getProfileOrigin, type ProfileOrigin } from "../../openapi/gaps/profile-origin.js";
import { parseProfile } from "../../openapi/document/parse-profile.js";
import { fail } from "./terminal.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";

/** A profile and, if known, where it comes from. */
interface LoadedProfile {
  readonly profile: Partial<Profile>;
  /** The answers in the file, without the defaults for the others. */
  readonly answers: Partial<Profile>;
  readonly origin: ProfileOrigin | undefined;
}

/**
 * Reads a profile file and completes it with the default answers; ends the command when it cannot be used.
 *
 * @param base answers to gaps that the file leaves open
 */
export async function readProfileFile(
  path: string | undefined,
  base: Partial<Profile> = {},
): Promise<LoadedProfile> {
  if (path === undefined) return { profile: base, answers: {}, origin: undefined };
  const text = await readFile(path, "utf8").catch((error: unknown) =>
    fail(`cannot read the profile ${resolve(path)}: ${toErrorMessage(error)}`),
  );
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    fail(`the profile ${path} is not valid JSON: ${toErrorMessage(error)}`);
  }
  const completed = parseProfile(isObject(given) ? { ...base, ...given } : given);
  if ("profile" in completed) {
    const { profile } = completed;
    const named = Object.keys(given as object).filter(isGapId);
    const answers = Object.fromEntries(named.map((gap) => [gap, profile[gap]]));
    return { profile, answers, origin: getProfileOrigin(given) };
  }
  const lines = completed.mistakes.map(({ gap, detail }) => `  ${gap === "" ? "" : `${gap}: `}${detail}`);
  return fail(`the profile ${path} has mistakes:\n${lines.join("\n")}`);
}
