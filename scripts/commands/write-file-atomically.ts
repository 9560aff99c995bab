import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  lstatSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Writes a file so that, whenever the process is killed or the machine fails, the old content or the new one is
 * there, whole. A kill may leave a file `.NAME.PID.….tmp` beside it, which the next writing of the same file removes.
 * Without a pause, so that no signal handler runs in between.
 *
 * @throws Error for a name that stands for something that is no file, which stays as it is
 */
export function writeFileAtomically(name: string, bytes: Uint8Array): void {
  const { file, mode } = findExportTarget(name);
  const folder = dirname(file);
  const stem = getStem(file);
  // a name that nobody can guess, and a file that was not there before: no link leads the writing elsewhere
  const temporary = join(folder, `${stem}${process.pid}.${randomBytes(8).toString("hex")}.tmp`);
  const descriptor = openSync(temporary, "wx", mode === undefined ? 0o666 : 0o600);
  try {
    try {
      if (mode !== undefined) fchmodSync(descriptor, mode);
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    retryWhileHeld(() => renameSync(temporary, file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  removeLeftovers(folder, stem);
  syncFolder(folder);
}

/**
 * Repeats what Windows refuses as long as a virus scanner or an indexer has the file open, for two thirds of a second at
 * most. Other systems refuse for good.
 */
export function retryWhileHeld(work: () => void, platform: NodeJS.Platform = process.platform): void {
  for (let waitMs = 10; ; waitMs *= 2) {
    try {
      work();
      return;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (platform !== "win32" || waitMs > 320 || !["EPERM", "EACCES", "EBUSY"].includes(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

/** What temporary names of a file begin with; cut off where the name is so long that nothing fits behind it. */
function getStem(file: string): string {
  return `.${basename(file).slice(0, 40)}.`;
}

/** Removes what killed processes have left of the same file; those that still run are about to need theirs. */
function removeLeftovers(folder: string, stem: string): void {
  for (const found of listNames(folder)) {
    if (!found.startsWith(stem)) continue;
    const pid = /^(\d+)(?:\.[0-9a-f]{16})?\.tmp$/.exec(found.slice(stem.length))?.[1];
    if (pid === undefined || Number(pid) === process.pid || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, found), { force: true });
    } catch {
      // it is somebody else's; what was to be written is written
    }
  }
}

/** A folder may be one to write to and not to look into. */
function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Whether a process of this id runs on this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // another user's process cannot be asked, but is there
    return (error as { readonly code?: string }).code === "EPERM";
  }
}

/** Makes the renaming itself last; systems whose folders cannot be opened do without. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Where a file that is written goes, and what is there now. */
export interface ExportTarget {
  /** The file itself: where the name is a link, what it leads to. */
  readonly file: string;
  /** The mode of the file that is there; nothing where there is none yet. */
  readonly mode: number | undefined;
}

/**
 * Finds what a name of a file stands for. A link is followed and stays a link. What is no file is never replaced: a
 * renamed file would take the place of a device or a pipe.
 *
 * @throws Error that says what is in the way
 */
export function findExportTarget(name: string): ExportTarget {
  const link = lstatSync(name, { throwIfNoEntry: false });
  if (link === undefined) return { file: resolve(name), mode: undefined };
  const stats = statSync(name, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error("it is a link that leads nowhere");
  if (stats.isDirectory()) throw new Error("it is a folder");
  if (!stats.isFile()) throw new Error("it is a pipe, a socket or a device, and no file");
  return { file: realpathSync(name), mode: stats.mode & 0o7777 };
}
