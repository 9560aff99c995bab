import { ClauseViolation, RunError } from "../../conformance/client/violation.js";
import { suite } from "../../conformance/report/version.js";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import type { Ledger } from "../../conformance/target/ledger.js";
import type { Target } from "../../conformance/target/target.js";
import { fail, printError } from "./terminal.js";
import { loadTargetFile } from "../../conformance/target/target-file.js";
import type { TargetChoice } from "../../conformance/target/open-target.js";
import { readGivenProfile } from "./read-profile-file.js";
import { existsSync, readFileSync } from "node:fs";
import type { Observation } from "../../conformance/observe/observation.js";
import { buildObservedProfile } from "../../conformance/observe/observed-profile.js";
import { writeFileAtomically } from "./write-file-atomically.js";

/**
 * Runs a command of the suite, and ends the process with the exit code that it returns. A trouble of the run becomes a
 * message of the command line; any other error is a bug, so its stack is shown.
 */
export async function runSuiteCommand(work: () => number | Promise<number>): Promise<void> {
  try {
    const code = await work();
    // idle connections would keep the process open
    process.stdout.write("", () => process.exit(code));
  } catch (error) {
    if (error instanceof RunError || error instanceof ClauseViolation) fail(error.message);
    throw error;
  }
}

/** The lines that begin the output of a run. */
export function formatRunHeading(
  id: string,
  { title }: Pick<Target, "title">,
  ledger: Ledger,
  more = "",
): string {
  return `${suite.name} ${suite.version}, run ${id}${more}
  target  ${title}
  ledger  ${ledger.file ?? ""} (deleted when all is removed)

`;
}

/** A line about something that a run could not remove. */
export function formatLeftBehind(kind: string, name: string, reason: string): string {
  return escapeInvisible(`${kind} ${name}: ${reason}`);
}

/**
 * Stops a run at the first SIGINT or SIGTERM, and ends the process at the second.
 *
 * @param onSecond says what remains
 * @returns why no further step may begin
 */
export function stopOnSignals(
  onFirst: (reason: string) => void = () => undefined,
  onSecond: () => void = () => undefined,
): () => string | undefined {
  let reason: string | undefined;
  const stop = (signal: string) => {
    if (reason !== undefined) {
      onSecond();
      process.exit(2);
    }
    reason = `interrupted by ${signal}`;
    onFirst(reason);
    printError("stopping and cleaning up; once more stops at once\n");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return () => reason;
}

/** Writes a line that changes on a terminal, and nothing anywhere else; without a text the line is cleared. */
export function createProgressLine(stream: NodeJS.WriteStream): (text?: string) => void {
  return (text = "") => {
    if (stream.isTTY) stream.write(`\r\u001b[K${text}`);
  };
}

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
