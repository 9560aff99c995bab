/** The process of `data-service`. */
import { runCommandLine } from "./run-command-line.js";
import { reportUnsettledPromise } from "./report-unsettled-promise.js";
import { exitWithError, setOutputErrorHandler } from "./terminal.js";

// the reader has closed the pipe, as in `data-service contract | head`: exit with the code of SIGPIPE, never of a verdict
setOutputErrorHandler((error) => {
  if (error.code === "EPIPE") process.exit(141);
  exitWithError(`cannot write the output: ${error.message}`);
});

const code = await reportUnsettledPromise(runCommandLine(process.argv.slice(2)));
if (code !== undefined) process.exit(code);
