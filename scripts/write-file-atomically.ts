import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Writes a file so that, whenever the process is killed or the machine fails, the old content or the new one is
 * there, whole. A kill may leave a file `.NAME.PID.tmp` beside it. Without a pause, so that no signal handler runs in
 * between.
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
  syncFolder(folder);
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
