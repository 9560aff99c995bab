import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import files from "./late-modules.json" with { type: "json" };
import { packagedFile } from "./packaged-file.js";

const require = createRequire(import.meta.url);

/**
 * Packages, and files of this one, that are loaded when they are needed, because loading them takes time that not everybody
 * has to spend.
 */
export type LateModule = keyof typeof files;

/**
 * Loads one at once. Of the built code it comes as a single file: Ajv alone is eighty otherwise, and finding them
 * takes longer than running them.
 */
export function lazyRequire(name: LateModule): unknown {
  let module = loaded.get(name);
  if (module === undefined) {
    const file = packagedFile(`late/${files[name]}`);
    module =
      file === undefined ? require(inSources(name)) : (require(file) as Record<LateModule, unknown>)[name];
    loaded.set(name, module);
  }
  return module;
}

/** Our own files are named from the root of the repository. */
function inSources(name: LateModule): string {
  return name.startsWith("./") ? fileURLToPath(new URL(`../../${name}`, import.meta.url)) : name;
}

const loaded = new Map<LateModule, unknown>();
