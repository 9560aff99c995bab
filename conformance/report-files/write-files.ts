import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Enough for one write: a call for every short piece would take longer than making them. */
const minWrite = 1024 * 1024;

/**
 * Writes files into a folder, which is made when it is missing.
 *
 * @param files what each file holds, by its name: a text, its pieces where it may be very long, or what becomes JSON
 * @returns the paths written
 */
export function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Iterable<string> | object>>,
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    if (typeof content === "string") writePieces(path, [content]);
    else if (Symbol.iterator in content) writePieces(path, content);
    else writePieces(path, [JSON.stringify(content, null, 2), "\n"]);
    return path;
  });
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    let gathered = "";
    for (const piece of pieces) {
      gathered += piece;
      if (gathered.length < minWrite) continue;
      writeSync(file, gathered);
      gathered = "";
    }
    writeSync(file, gathered);
  } finally {
    closeSync(file);
  }
}
