import {
  existsSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { tryTo } from "../../openapi/text/try-to.js";
import { isProcessRunning, sleepSync } from "./write-file-atomically.js";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The process namespace in which the holder has its id; undefined except on Linux. */
  readonly pidNamespace?: string | undefined;
  /** A random text: containers may share a host name, and their processes an id. */
  readonly token: string;
}

/** Milliseconds after which a holder renews its lock. */
const renewMs = 1000;

/**
 * Age, in milliseconds, at which a lock counts as left behind if it has this host name, but the id of this process or
 * another process namespace. A container that was killed and started again finds such a lock, but it may also belong to
 * another container, which still renews it.
 */
const containerAgeMs = 3000;

/** Age, in milliseconds, at which a lock of another machine or container, or one without a holder, counts as left behind. */
const lockAgeMs = 10_000;

/**
 * Age, in milliseconds, at which a lock counts as left behind although a process with the holder's id runs, as after a
 * restart of the machine or container: longer than any call keeps a holder from renewing it. A suspended holder notices
 * the loss before it writes.
 */
const reusedAgeMs = 300_000;

/** The locks that this process has taken, with their text. */
const taken = new Map<string, string>();

/**
 * Takes a lock until the process ends.
 *
 * @param file the lock file, which names the holder
 * @throws Error when another emulator holds the lock
 */
export function takeLock(file: string): void {
  const { pid } = process;
  const holder: Holder = { pid, host: hostname(), pidNamespace: readPidNamespace(), token: randomUUID() };
  const own = JSON.stringify(holder);
  while (!createFile(file, own)) {
    const found = unlessMissing(() => readFileSync(file, "utf8"));
    if (found === undefined) continue;
    rejectHeldLock(file, found);
    removeLock(file, found);
  }
  // if the folder was removed, the next write reports it
  setInterval(() => {
    if (!isLost(file, own)) tryTo(() => utimesSync(file, new Date(), new Date()));
  }, renewMs).unref();
  taken.set(file, own);
  process.on("exit", () => tryTo(() => removeLock(file, own)));
}

/** Returns the namespace of this process's id, in which two containers can differ; undefined except on Linux. */
export function readPidNamespace(): string | undefined {
  return tryTo(() => readlinkSync("/proc/self/ns/pid"));
}

/**
 * @throws Error if another emulator has taken a lock of this process, which was suspended for too long, or if somebody has
 *   removed the lock
 */
export function assertLocksHeld(): void {
  for (const [file, own] of taken)
    if (isLost(file, own))
      throw new Error(
        existsSync(file)
          ? "another emulator has started to use it in the meantime"
          : `${file} was removed, so another emulator may have used it in the meantime; restart this emulator`,
      );
}

/** Whether a lock has another holder, or had one that has removed it. Without its folder, a lock protects nothing. */
function isLost(file: string, own: string): boolean {
  const text = tryTo(() => readFileSync(file, "utf8"));
  return text === undefined ? existsSync(dirname(file)) : text !== own;
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
  const isLocal = holder?.host === hostname();
  const hasKnownPid = isLocal && holder.pidNamespace === readPidNamespace() && holder.pid !== process.pid;
  if (hasKnownPid && !isProcessRunning(holder.pid)) return;
  const changed = getTime(file);
  const isLeftBehind =
    isLocal && !hasKnownPid
      ? !isRenewed(file, changed)
      : Date.now() - changed >= (isLocal ? reusedAgeMs : lockAgeMs);
  if (isLeftBehind) return;
  const name =
    holder === undefined
      ? ""
      : ` (process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`})`;
  throw new Error(`another emulator${name} is using it`);
}

/**
 * Whether the holder of a lock renews it before it is old enough. The event loop has nothing to do meanwhile, because the
 * emulator has not started.
 */
function isRenewed(file: string, changed: number): boolean {
  const end = Math.min(changed, Date.now()) + containerAgeMs;
  while (Date.now() < end && getTime(file) === changed) sleepSync(50);
  return getTime(file) !== changed;
}

/** When a lock was created or renewed; 0 if it does not exist. */
function getTime(file: string): number {
  return tryTo(() => statSync(file).mtimeMs) ?? 0;
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
