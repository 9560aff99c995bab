import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file so that, whenever the process is killed or the machine fails, the old content or the new one is
 * there, whole. A kill may leave a file `.NAME.PID.tmp` beside it, which the next writing of the same file removes.
 * Without a pause, so that no signal handler runs in between.
 */
export function writeFileAtomically(file: string, bytes: Uint8Array): void {
  // a link stays a link
  const target = existsSync(file) ? realpathSync(file) : file;
  const folder = dirname(target);
  const temporary = join(folder, `.${basename(target)}.${process.pid}.tmp`);
  try {
    const descriptor = openSync(temporary, "w");
    try {
      if (existsSync(target)) fchmodSync(descriptor, statSync(target).mode);
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  removeLeftovers(folder, basename(target));
  syncFolder(folder);
}

/** Removes what killed processes have left of the same file; those that still run are about to need theirs. */
function removeLeftovers(folder: string, name: string): void {
  for (const found of namesIn(folder)) {
    if (!found.startsWith(`.${name}.`) || !found.endsWith(".tmp")) continue;
    const pid = found.slice(name.length + 2, -".tmp".length);
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid || isRunning(Number(pid))) continue;
    try {
      rmSync(join(folder, found), { force: true });
    } catch {
      // it is somebody else's; what was to be written is written
    }
  }
}

/** A folder may be one to write to and not to look into. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
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
