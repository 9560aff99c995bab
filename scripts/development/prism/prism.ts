/**
 * Runs Prism on the contract.
 *
 *     npm run mock                              answers every request with the examples of the contract
 *     npm run proxy -- https://data.example     passes requests on and reports what breaks the contract, in what it
 *                                               prints and in the header `sl-violations` of the answers
 *
 * Further options go to Prism: `npm run mock -- --port 4011 --dynamic`.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { prismArguments } from "./prism-arguments.js";
import { writeStrictContract } from "./strict-contract.js";

const require = createRequire(import.meta.url);
const prism = require.resolve("@stoplight/prism-cli");

const asked = prismArguments(process.argv.slice(2), writeStrictContract());
if ("help" in asked) {
  console.log(asked.help);
} else if ("mistake" in asked) {
  console.error(asked.mistake);
  process.exitCode = 2;
} else {
  const child = spawn(process.execPath, [prism, ...asked.arguments], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 0;
  });
}
