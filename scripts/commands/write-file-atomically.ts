import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
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
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { isProcessRunning } from "./is-process-running.js";
import { fail } from "./terminal.js";

/**
 * Writes a file so that, even if the process is killed or the machine fails, the file has either the old or the new
 * content. If the process is killed, a file `.NAME.PID.….tmp` may remain in the same folder; the next write of the same
 * file removes it. This function is synchronous, so that no signal handler runs in between.
 *
 * @throws Error when the name does not refer to a file; nothing is changed then
 */
export function writeFileAtomically(name: string, bytes: Uint8Array): void {
  const { file, mode } = findExportTarget(name);
  const folder = dirname(file);
  const stem = `.${basename(file).slice(0, 40)}.`;
  // the name cannot be guessed, so nobody can create a link that redirects the write
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
    retryWhileLocked(() => renameSync(temporary, file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  removeLeftovers(folder, stem);
  syncFolder(folder);
}

/** Writes a file that the user requested, and creates its folder; ends the command on failure. */
export function writeOutputFile(name: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(name), { recursive: true });
    writeFileAtomically(name, typeof content === "string" ? Buffer.from(content) : content);
  } catch (error) {
    fail(`cannot write ${name}: ${toErrorMessage(error)}`);
  }
}

/**
 * On Windows, retries an operation for up to two thirds of a second, because a virus scanner or an indexer may have the
 * file open.
 */
export function retryWhileLocked(work: () => void, platform: NodeJS.Platform = process.platform): void {
  for (let waitMs = 10; ; waitMs *= 2) {
    try {
      work();
      return;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      if (platform !== "win32" || waitMs > 320 || !["EPERM", "EACCES", "EBUSY"].includes(code)) throw error;
      sleepSync(waitMs);
    }
  }
}

/** Blocks the process, event loop included. */
export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Removes temporary files that killed processes left behind. */
function removeLeftovers(folder: string, stem: string): void {
  // the folder may not be readable
  for (const found of tryTo(() => readdirSync(folder)) ?? []) {
    if (!found.startsWith(stem)) continue;
    const pid = /^(\d+)(?:\.[0-9a-f]{16})?\.tmp$/.exec(found.slice(stem.length))?.[1];
    if (pid === undefined || Number(pid) === process.pid || isProcessRunning(Number(pid))) continue;
    // ignore errors, because the file may belong to another user
    tryTo(() => rmSync(join(folder, found), { force: true }));
  }
}

/** Flushes the renaming to disk. This is impossible on Windows, and if the folder is not readable. */
function syncFolder(folder: string): void {
  const descriptor = process.platform === "win32" ? undefined : tryTo(() => openSync(folder, "r"));
  if (descriptor === undefined) return;
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The file that a write creates or replaces. */
interface ExportTarget {
  /** The file itself, or the file to which a link leads. */
  readonly file: string;
  /** The mode of the existing file, if there is one. */
  readonly mode: number | undefined;
}

/**
 * Finds the file to which a name refers. Links are followed and remain links. A device or a pipe is never replaced with a
 * file.
 *
 * @throws Error when the name does not refer to a file
 */
export function findExportTarget(name: string): ExportTarget {
  const file = resolve(name);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return { file, mode: undefined };
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new Error("it is a broken link");
  if (stats.isDirectory()) throw new Error("it is a folder");
  if (!stats.isFile()) throw new Error("it is a pipe, a socket or a device, not a file");
  return { file: realpathSync(file), mode: stats.mode & 0o7777 };
}
