/** Runs every `check:` script of package.json; fails if one of them fails. */
import { checkSteps } from "./check-steps.mjs";
import { runSideBySide } from "./run-side-by-side.mjs";

const failed = await runSideBySide(checkSteps);
if (failed.length > 0) process.exitCode = 1;
