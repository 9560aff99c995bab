import { loadTargetFile } from "../../conformance/target/target-file.js";
import type { TargetChoice } from "../../conformance/target/open-target.js";
import { fail } from "./command-error.js";
import { readGivenProfile } from "./read-profile-file.js";

interface TargetOptions {
  readonly emulator?: true;
  readonly target?: string;
  /** A profile with answers that are known, such as an observed one. */
  readonly profile?: string;
}

/** The deployment that the command line names; ends the command when it names none. */
export async function resolveTarget(
  url: string | undefined,
  command: "certify" | "observe" | "compare",
  { emulator, target, profile }: TargetOptions,
): Promise<TargetChoice> {
  if (emulator === true && target !== undefined)
    fail("--emulator and --target exclude each other: an emulator needs no target file");
  if (emulator === true) {
    if (profile !== undefined) fail("--profile needs --target: the profile of an emulator is known");
    if (url === undefined) fail(`the URL of the emulator is missing: data-service ${command} URL --emulator`);
    return { emulator: url };
  }
  if (target === undefined)
    fail(
      "say what the URL is: --emulator for an emulator, or --target FILE with users and capabilities of a deployment " +
        "(conformance/README.md in the package shows one)",
    );
  const at = url === undefined ? {} : { url };
  if (profile === undefined) return { target, ...at };
  const { answers } = await readGivenProfile(profile);
  // what the target file says for itself comes first
  const file = await loadTargetFile(target);
  return { target: { ...file, profile: { ...answers, ...file.profile } }, ...at };
}
