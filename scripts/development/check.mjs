/**
 * Runs every `check:` script of package.json, as many side by side as there are processors: they do not depend on each
 * other. What each has to say is printed when it has ended; all are run, and one that fails makes the whole fail.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

/** Those that take long begin first. */
const longest = ["check:lint", "check:contract", "check:types"];
const waiting = [
  ...new Set([...longest, ...Object.keys(scripts).filter((name) => name.startsWith("check:"))]),
];
const failed = [];

await Promise.all(Array.from({ length: availableParallelism() }, takeTurns));
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(", ")}\n`);
  process.exitCode = 1;
}

async function takeTurns() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const started = performance.now();
    const { isFine, output } = await run(name);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    process.stdout.write(`${isFine ? "ok" : "FAILED"}  ${name}  ${seconds} s\n${isFine ? "" : output}`);
    if (!isFine) failed.push(name);
  }
}

function run(name) {
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["run", "--silent", name], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // npm is a script that a shell finds on Windows
      shell: process.platform === "win32",
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ isFine: code === 0, output }));
  });
}
