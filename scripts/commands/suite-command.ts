import { ClauseViolation, RunError } from "../../conformance/client/violation.js";
import type { ReportedLeftover } from "../../conformance/report/reported-leftover.js";
import { suiteInfo } from "../../conformance/report/version.js";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import { tryTo } from "../../openapi/text/try-to.js";
import type { Ledger } from "../../conformance/target/ledger.js";
import type { Target } from "../../conformance/target/target.js";
import type { CertifyOptions } from "./certify-options.js";
import { fail, printError } from "./terminal.js";
import { loadTargetFile } from "../../conformance/target/target-file.js";
import type { TargetChoice } from "../../conformance/target/open-target.js";
import { readProfileFile } from "./read-profile-file.js";
import { readFileSync } from "node:fs";
import type { Observation } from "../../conformance/observe/observation.js";
import { buildObservedProfile } from "../../conformance/observe/observed-profile.js";
import { writeOutputFile } from "./write-file-atomically.js";

/**
 * Runs a command of the suite and exits with the code that it returns. A `RunError` or `ClauseViolation` is printed as
 * one message.
 *
 * @throws other errors
 */
export async function runSuiteCommand(work: () => number | Promise<number>): Promise<void> {
  try {
    const code = await work();
    // idle connections would keep the process running
    process.stdout.write("", () => process.exit(code));
  } catch (error) {
    if (error instanceof RunError || error instanceof ClauseViolation) fail(error.message);
    throw error;
  }
}

/** Formats the heading of the output of a run. */
export function formatRunHeading(
  id: string,
  { title, politeness: { requestsPerSecond } }: Pick<Target, "title" | "politeness">,
  ledger: Ledger,
  more = "",
): string {
  const pace = Number.isFinite(requestsPerSecond)
    ? `\n  pace    at most ${requestsPerSecond} requests per second (set by politeness in the target file)`
    : "";
  return `${suiteInfo.name} ${suiteInfo.version}, run ${id}${more}
  target  ${title}${pace}
${formatLedgerLine(ledger.file ?? "")}

`;
}

export function formatLedgerLine(file: string): string {
  return `  ledger  ${file} (lists what the run creates, until it is removed)`;
}

/** Formats a resource that a run could not remove. */
export function formatLeftover({ kind, name, reason }: ReportedLeftover): string {
  return escapeInvisible(`${kind} ${name}: ${reason}`);
}

/**
 * Stops a run at the first SIGINT or SIGTERM, and exits at the second.
 *
 * @param onSecond called before the exit
 * @returns a function that returns why the run must stop; undefined while it can continue
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
    printError("stopping and cleaning up; interrupt again to stop without cleaning up\n");
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return () => reason;
}

/** Determines the deployment from the options of a command; ends the command if they name none. */
export async function resolveTarget(
  url: string | undefined,
  command: "certify" | "observe" | "compare",
  { emulator, target, profile }: Pick<CertifyOptions, "emulator" | "target" | "profile">,
): Promise<TargetChoice> {
  if (emulator === true && target !== undefined)
    fail("use either --emulator or --target: an emulator needs no target file");
  if (emulator === true) {
    if (profile !== undefined) fail("--profile needs --target: an emulator provides its own profile");
    if (url === undefined) fail(`--emulator needs a URL: data-service ${command} URL --emulator`);
    return { emulator: url };
  }
  if (target === undefined)
    fail(
      "add --emulator if the URL belongs to an emulator; for any other deployment, add --target FILE " +
        "(to see all fields of a target file, run data-service schema target)",
    );
  const baseUrl = url === undefined ? {} : { url };
  if (profile === undefined) return { target, ...baseUrl };
  const { answers } = await readProfileFile(profile);
  // answers in the target file override those of the profile
  const file = await loadTargetFile(target);
  return { target: { ...file, profile: { ...answers, ...file.profile } }, ...baseUrl };
}

/** Writes observations as a profile file. Keeps the date in an existing file with the same answers. */
export function writeObservedProfile(
  path: string,
  observations: readonly Observation[],
  baseUrl: string,
): void {
  const today = new Date().toISOString().slice(0, 10);
  const before = tryTo(() => JSON.parse(readFileSync(path, "utf8")) as unknown);
  const text = `${JSON.stringify(buildObservedProfile(observations, baseUrl, today, before), null, 2)}\n`;
  writeOutputFile(path, text);
}
