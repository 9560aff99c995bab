import { lstatSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";

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
