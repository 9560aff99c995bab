/** Runs every `check:` script of package.json; one that fails makes the whole fail. */
import { checkSteps } from "./check-steps.mjs";
import { runSideBySide } from "./run-side-by-side.mjs";

const failed = await runSideBySide(checkSteps);
if (failed.length > 0) process.exitCode = 1;
