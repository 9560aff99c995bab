import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The path of a file that the build has put into the package, such as `sqlite/sql-wasm.wasm`; nothing where the sources
 * run as they are, or it was not built.
 */
export function findPackagedFile(name: string): string | undefined {
  // this is in a chunk of the bundle, which has a folder beside those of the files
  const file = fileURLToPath(new URL(`../${name}`, import.meta.url));
  return existsSync(file) ? file : undefined;
}
