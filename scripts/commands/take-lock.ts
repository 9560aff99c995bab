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
import { isProcessRunning } from "./is-process-running.js";
import { sleepSync } from "./write-file-atomically.js";

/** The process that holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** The process namespace in which the holder has its id; undefined except on Linux. */
  readonly pidNamespace?: string | undefined;
  /** Random, because processes in different containers can have the same host name and id. */
  readonly token: string;
}

/** Interval in milliseconds at which a holder renews its lock. */
const renewMs = 1000;

/**
 * Age in milliseconds at which a lock is stale if it has this host name, but the id of this process or another process
 * namespace. A restarted container finds such a lock, but the lock can also belong to another container, which still
 * renews it.
 */
const containerAgeMs = 3000;

/** Age in milliseconds at which a lock of another machine or container, or without a valid holder, is stale. */
const lockAgeMs = 10_000;

/**
 * Age in milliseconds at which a lock is stale although a process with the holder's id runs, as after a restart of the
 * machine. No call keeps a holder from renewing its lock for this long. A suspended process notices before it writes that
 * it has lost its lock.
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
    const found = ignoreMissingFile(() => readFileSync(file, "utf8"));
    if (found === undefined) continue;
    rejectHeldLock(file, found);
    removeLock(file, found);
  }
  taken.set(file, own);
  setInterval(renewLocks, renewMs).unref();
  process.on("exit", () => tryTo(() => removeLock(file, own)));
}

/** Renews the locks of this process. Work that blocks the event loop for seconds must call this in between. */
export function renewLocks(): void {
  for (const [file, own] of taken)
    // ignore errors, because the next write also fails if the folder was removed
    if (!isLost(file, own)) tryTo(() => utimesSync(file, new Date(), new Date()));
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
          : `its lock file ${file} was removed, so another emulator may have changed the data; restart this emulator`,
      );
}

/** Whether a lock has another holder, or had another holder that has removed it. A lock needs its folder to exist. */
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
  const isStale =
    isLocal && !hasKnownPid
      ? !waitForRenewal(file, changed)
      : Date.now() - changed >= (isLocal ? reusedAgeMs : lockAgeMs);
  if (isStale) return;
  const name =
    holder === undefined
      ? ""
      : ` (process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`})`;
  throw new Error(`another emulator${name} is using it`);
}

/** Waits until a lock is stale or renewed. Blocking is harmless, because the emulator has not started yet. */
function waitForRenewal(file: string, changed: number): boolean {
  const end = Math.min(changed, Date.now()) + containerAgeMs;
  while (Date.now() < end && getTime(file) === changed) sleepSync(50);
  return getTime(file) !== changed;
}

/** Returns the time at which a lock was created or renewed; 0 if it does not exist. */
function getTime(file: string): number {
  return tryTo(() => statSync(file).mtimeMs) ?? 0;
}

/** Removes a lock with the given text. Restores the lock if another emulator has taken it in the meantime. */
export function removeLock(file: string, text: string): void {
  const aside = `${file}.${process.pid}`;
  const isMoved = ignoreMissingFile(() => {
    renameSync(file, aside);
    return true;
  });
  if (isMoved === undefined) return;
  const moved = readFileSync(aside, "utf8");
  if (moved !== text) createFile(file, moved);
  rmSync(aside);
}

/** Returns undefined if a file does not exist, because another emulator may have removed it. @throws other errors */
function ignoreMissingFile<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}
