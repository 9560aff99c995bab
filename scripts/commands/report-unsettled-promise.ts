import { CommandError, report } from "./terminal.js";

/**
 * Awaits a command. A process that has nothing left to wait for ends with 0, also where what it was about never came to
 * an end: then it says so, and ends with 2.
 */
export async function reportUnsettledPromise<Result>(command: Promise<Result>): Promise<Result> {
  const say = () => {
    const message =
      "the command has nothing left to wait for, and has not come to an end: a mistake of data-service. " +
      "What it made on a deployment is in its ledger, for `data-service certify --cleanup LEDGER`";
    report(new CommandError(message));
    process.exitCode = 2;
  };
  process.once("beforeExit", say);
  try {
    return await command;
  } finally {
    process.off("beforeExit", say);
  }
}
