import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { tryTo } from "../../openapi/text/try-to.js";
import { isProcessRunning } from "./write-file-atomically.js";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Age, in milliseconds, at which a lock of another machine or container, or one without a holder, counts as left behind. */
const lockAgeMs = 10_000;

/**
 * Takes a lock until the process ends.
 *
 * @param file the lock file, which names the holder
 * @throws Error when another emulator holds the lock
 */
export function takeLock(file: string): void {
  const own = JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder);
  while (!createFile(file, own)) {
    const found = unlessMissing(() => readFileSync(file, "utf8"));
    if (found === undefined) continue;
    rejectHeldLock(file, found);
    removeLock(file, found);
  }
  // if the folder was removed, the next write reports it
  setInterval(() => tryTo(() => utimesSync(file, new Date(), new Date())), lockAgeMs / 4).unref();
  process.on("exit", () => tryTo(() => removeLock(file, own)));
}

/** Creates a file; returns false if it exists. */
function createFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
}

/** @throws Error if a running emulator holds the lock, or creates it just now */
function rejectHeldLock(file: string, text: string): void {
  const holder = tryTo(() => JSON.parse(text) as Holder);
  if (holder?.host === hostname()) {
    if (holder.pid === process.pid || !isProcessRunning(holder.pid)) return;
  } else {
    const changed = tryTo(() => statSync(file).mtimeMs) ?? 0;
    if (Date.now() - changed >= lockAgeMs) return;
  }
  const name =
    holder === undefined
      ? ""
      : ` (process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`})`;
  throw new Error(`another emulator${name} is using it`);
}

/** Removes a lock with the given text. A lock that another emulator has taken meanwhile is put back. */
export function removeLock(file: string, text: string): void {
  const aside = `${file}.${process.pid}`;
  const isMoved = unlessMissing(() => {
    renameSync(file, aside);
    return true;
  });
  if (isMoved === undefined) return;
  const moved = readFileSync(aside, "utf8");
  if (moved !== text) createFile(file, moved);
  rmSync(aside);
}

/** Returns undefined if the file does not exist, as when another emulator has removed it. @throws other errors */
function unlessMissing<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}
