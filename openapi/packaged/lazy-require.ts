import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import files from "./late-modules.json" with { type: "json" };
import { findPackagedFile } from "./find-packaged-file.js";

const require = createRequire(import.meta.url);

/**
 * Packages, and files of this one, that are loaded when they are needed, because loading them takes time that not everybody
 * has to spend.
 */
export type LazyModule = keyof typeof files;

/**
 * Loads one at once. Of the built code it comes as a single file: Ajv alone is eighty otherwise, and finding them
 * takes longer than running them.
 */
export function lazyRequire(name: LazyModule): unknown {
  let module = loaded.get(name);
  if (module === undefined) {
    const file = findPackagedFile(`late/${files[name]}`);
    module =
      file === undefined
        ? require(resolveSource(name))
        : (require(file) as Record<LazyModule, unknown>)[name];
    loaded.set(name, module);
  }
  return module;
}

/** Our own files are named from the root of the repository. */
function resolveSource(name: LazyModule): string {
  return name.startsWith("./") ? fileURLToPath(new URL(`../../${name}`, import.meta.url)) : name;
}

const loaded = new Map<LazyModule, unknown>();
