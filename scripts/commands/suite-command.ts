import { ClauseViolation, RunError } from "../../conformance/client/violation.js";
import { suite } from "../../conformance/report/version.js";
import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import type { Ledger } from "../../conformance/target/ledger.js";
import type { Target } from "../../conformance/target/target.js";
import { fail } from "./command-error.js";
import { printError } from "./print.js";

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
