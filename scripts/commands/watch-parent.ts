import { execFileSync } from "node:child_process";
import { existsSync, fstatSync, readFileSync } from "node:fs";
import { tryTo } from "../../openapi/text/try-to.js";
import { isProcessRunning } from "./is-process-running.js";

const pollIntervalMs = 250;

/**
 * Calls a function once when the parent of this process has ended: when this process has another parent, or when its
 * standard input is closed, which also works if a shell or `npx` in between is still running.
 *
 * @param input whether standard input may be read
 */
export function watchParent(onGone: () => void, { input = true } = {}): void {
  const parent = process.ppid;
  const grandparent = findNpmGrandparent(parent);
  const ancestors = grandparent === undefined ? [parent] : [parent, grandparent];
  let hasNotified = false;
  const notify = () => {
    if (hasNotified) return;
    hasNotified = true;
    clearInterval(poll);
    onGone();
  };
  const poll = setInterval(() => {
    if (process.ppid !== parent || !ancestors.every(isProcessRunning)) notify();
  }, pollIntervalMs);
  poll.unref();
  if (!input || !isPipe(0)) return;
  process.stdin.on("end", notify).on("error", notify);
  process.stdin.resume();
}

/** Finds npm or npx, which start the command through a shell that keeps running when they are killed. */
function findNpmGrandparent(parent: number): number | undefined {
  if (process.env.npm_command === undefined || process.platform === "win32") return undefined;
  const args = ["-o", "ppid=", "-o", "comm=", "-p", String(parent)];
  const processInfo = tryTo(() =>
    // small Linux images do not have ps
    existsSync("/proc/self/stat")
      ? readFileSync(`/proc/${parent}/stat`, "utf8").replace(/^\d+ \((.*)\) \S (\d+) .*$/s, "$2 $1")
      : execFileSync("ps", args, { encoding: "utf8" }),
  );
  const [, grandparent, name = ""] = /^\s*(\d+)\s+(\S+)/.exec(processInfo ?? "") ?? [];
  const isShell = /(?:^|\/)-?(?:ba|da|a|z)?sh$/.test(name);
  return isShell && Number(grandparent) > 1 ? Number(grandparent) : undefined;
}

/** Whether a descriptor is a pipe or socket, whose end shows that the parent has ended. */
function isPipe(descriptor: number): boolean {
  const stats = tryTo(() => fstatSync(descriptor));
  return stats !== undefined && (stats.isFIFO() || stats.isSocket());
}
