import { execFileSync } from "node:child_process";
import { existsSync, fstatSync, readFileSync } from "node:fs";
import { tryTo } from "../../openapi/text/try-to.js";
import { isProcessRunning } from "./write-file-atomically.js";

const pollIntervalMs = 250;

/**
 * Calls a function once when the parent of this process has ended, that is, when the process has another parent or its
 * standard input was closed. The latter also works if the parent is a shell or `npx` that is still running.
 *
 * @param input whether standard input may be read
 */
export function watchParent(onGone: () => void, { input = true } = {}): void {
  const parent = process.ppid;
  const above = findNpmAncestor(parent);
  const guardians = above === undefined ? [parent] : [parent, above];
  let isGone = false;
  const tell = () => {
    if (isGone) return;
    isGone = true;
    clearInterval(look);
    onGone();
  };
  const look = setInterval(() => {
    if (process.ppid !== parent || !guardians.every(isProcessRunning)) tell();
  }, pollIntervalMs);
  look.unref();
  if (!input || !isPipe(0)) return;
  process.stdin.on("end", tell).on("error", tell);
  process.stdin.resume();
}

/** npm and npx start the command through a shell, which keeps running when they are killed. */
function findNpmAncestor(parent: number): number | undefined {
  if (process.env.npm_command === undefined || process.platform === "win32") return undefined;
  const args = ["-o", "ppid=", "-o", "comm=", "-p", String(parent)];
  const told = tryTo(() =>
    // on Linux, this needs no program; small images do not have one
    existsSync("/proc/self/stat")
      ? readFileSync(`/proc/${parent}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+) .*$/s, "$2 $1")
      : execFileSync("ps", args, { encoding: "utf8" }),
  );
  const [, above, name = ""] = /^\s*(\d+)\s+(\S+)/.exec(told ?? "") ?? [];
  return /(?:^|\/)-?(?:ba|da|a|z)?sh$/.test(name) && Number(above) > 1 ? Number(above) : undefined;
}

/** Whether the end of standard input shows that the parent has ended, which is only so for a pipe or socket. */
function isPipe(descriptor: number): boolean {
  const stats = tryTo(() => fstatSync(descriptor));
  return stats !== undefined && (stats.isFIFO() || stats.isSocket());
}
