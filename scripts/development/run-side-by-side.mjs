import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs independent commands concurrently, in the given order, one for each processor. Prints the output of a command when
 * it ends, if the command has failed or is `talkative`.
 *
 * @param {readonly { name: string, command: readonly string[], talkative?: boolean }[]} steps
 * @returns {Promise<string[]>} the names of the commands that failed
 */
export async function runSideBySide(steps) {
  const waiting = [...steps];
  const failed = [];
  await Promise.all(Array.from({ length: availableParallelism() }, takeTurns));
  if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
  return failed;

  async function takeTurns() {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const { name, command, talkative = false } = step;
      const started = performance.now();
      const { isFine, output } = await run(command);
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      const shown = isFine && !talkative ? "" : output;
      process.stdout.write(`${isFine ? "ok" : "FAILED"}  ${name}  ${seconds} s\n${shown}`);
      if (!isFine) failed.push(name);
    }
  }
}

function run([program, ...parameters]) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, {
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
