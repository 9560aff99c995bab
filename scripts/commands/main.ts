/** The process of `data-service`. */
import { setFlagsFromString } from "node:v8";
import { runCommandLine } from "./run-command-line.js";

// who reads us has read enough, as in `data-service contract | head`: the code is that of SIGPIPE, and no verdict
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(141);
  throw error;
});

// SQLite's functions are compiled when they are first called, and optimized when they have run for a while: by default so
// soon that most of it would happen before the first request, for functions that are not called again
setFlagsFromString("--wasm-tiering-budget=10000000");

const code = await runCommandLine(process.argv.slice(2));
if (code !== undefined) process.exit(code);
