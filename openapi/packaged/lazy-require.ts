import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import files from "./late-modules.json" with { type: "json" };
import { findPackagedFile } from "./find-packaged-file.js";

const require = createRequire(import.meta.url);

/** Packages and files that are loaded on first use, because loading them takes long. */
export type LazyModule = keyof typeof files;

/**
 * Loads a module synchronously. The build bundles each module into one file, because it takes longer to find files (80 for
 * Ajv) than to run them.
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

/** The names of files in this repository are relative to its root. */
function resolveSource(name: LazyModule): string {
  return name.startsWith("./") ? fileURLToPath(new URL(`../../${name}`, import.meta.url)) : name;
}

const loaded = new Map<LazyModule, unknown>();
