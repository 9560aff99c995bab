import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Returns the path of a file in `dist/`, such as `sqlite/sql-wasm.wasm`; undefined if the file does not exist, as when the
 * sources run without a build.
 */
export function findPackagedFile(name: string): string | undefined {
  // the bundle contains this code in dist/chunks
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}
