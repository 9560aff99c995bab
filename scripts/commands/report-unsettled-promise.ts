import { CommandError, printCommandError } from "./terminal.js";

/**
 * Awaits a command. Node exits with code 0 when nothing is pending, even if the command has not completed; in this case,
 * this function prints an error and sets the exit code to 2.
 */
export async function reportUnsettledPromise<Result>(command: Promise<Result>): Promise<Result> {
  const reportError = () => {
    const message =
      "the command stopped early, which is a bug in data-service. " +
      "To remove what the command created on a deployment, run `data-service certify` with the same target and `--cleanup LEDGER`";
    printCommandError(new CommandError(message));
    process.exitCode = 2;
  };
  process.once("beforeExit", reportError);
  try {
    return await command;
  } finally {
    process.off("beforeExit", reportError);
  }
}
