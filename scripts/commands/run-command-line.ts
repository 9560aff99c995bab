import type * as Commander from "commander";
import { inspect } from "node:util";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { program } from "./cli.js";
import { CommandError, printCommandError, printError } from "./terminal.js";

const { CommanderError } = lazyRequire("commander") as typeof Commander;

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code, or nothing if the process keeps running or exits by itself
 */
export async function runCommandLine(words: readonly string[]): Promise<number | undefined> {
  // Commander would take `--help` for the name of the command to show help for
  const args = words[0] === "help" ? words.filter((word) => word !== "--help" && word !== "-h") : words;
  try {
    await program.parseAsync(args, { from: "user" });
    return undefined;
  } catch (error) {
    // 1 means "not conformant", so a mistake on the command line must exit with another code
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandError || isSystemError(error)) printCommandError(error);
    else printError(`data-service: unexpected error, which is a bug in data-service:\n${inspect(error)}\n`);
    return 2;
  }
}

/** Whether a call to the operating system failed, for example because a file cannot be written. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
