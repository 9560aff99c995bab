import { fstatSync } from "node:fs";

const lookEveryMs = 250;

/**
 * Calls back once when whoever started this process has gone: another process has become its parent, or the pipe at its
 * standard input has ended, which also those notice whose parent is a shell or `npx` that lives on.
 *
 * @param input whether standard input is ours to read
 */
export function watchParent(onGone: () => void, { input = true } = {}): void {
  const parent = process.ppid;
  let isGone = false;
  const tell = () => {
    if (isGone) return;
    isGone = true;
    clearInterval(look);
    onGone();
  };
  const look = setInterval(() => {
    if (process.ppid !== parent || !isAlive(parent)) tell();
  }, lookEveryMs);
  look.unref();
  if (!input || !isPipe(0)) return;
  process.stdin.on("end", tell).on("error", tell);
  process.stdin.resume();
}

/** Windows tells the id of a parent that has gone as well. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
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
