import { execFileSync } from "node:child_process";
import { existsSync, fstatSync, readFileSync } from "node:fs";
import { isRunning } from "./write-file-atomically.js";

const pollIntervalMs = 250;

/**
 * Calls back once when whoever started this process has gone: another process has become its parent, or the pipe at its
 * standard input has ended, which also those notice whose parent is a shell or `npx` that lives on.
 *
 * @param input whether standard input is ours to read
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
    if (process.ppid !== parent || !guardians.every(isRunning)) tell();
  }, pollIntervalMs);
  look.unref();
  if (!input || !isPipe(0)) return;
  process.stdin.on("end", tell).on("error", tell);
  process.stdin.resume();
}

/** npm and npx put a shell between themselves and the command, which lives on when they are killed. */
function findNpmAncestor(parent: number): number | undefined {
  if (process.env.npm_command === undefined || process.platform === "win32") return undefined;
  try {
    const args = ["-o", "ppid=", "-o", "comm=", "-p", String(parent)];
    // Linux exposes this without running a program, which small images lack
    const told = existsSync("/proc/self/stat")
      ? readFileSync(`/proc/${parent}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+) .*$/s, "$2 $1")
      : execFileSync("ps", args, { encoding: "utf8" });
    const [, above, name = ""] = /^\s*(\d+)\s+(\S+)/.exec(told) ?? [];
    return /(?:^|\/)-?(?:ba|da|a|z)?sh$/.test(name) && Number(above) > 1 ? Number(above) : undefined;
  } catch {
    return undefined;
  }
}

/** Nothing at all, a file or a terminal has no end that tells anything of the parent. */
function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}
