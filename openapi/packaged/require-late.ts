import { createRequire } from "node:module";
import files from "./late-modules.json" with { type: "json" };
import { packagedFile } from "./packaged-file.js";

const require = createRequire(import.meta.url);

/** Packages that are loaded when they are needed, because loading them takes time that not everybody has to spend. */
export type LateModule = keyof typeof files;

/**
 * Loads a package at once. Of the built code it comes as a single file: Ajv alone is eighty otherwise, and finding them
 * takes longer than running them.
 */
export function requireLate(name: LateModule): unknown {
  let module = loaded.get(name);
  if (module === undefined) {
    const file = packagedFile(`late/${files[name]}`);
    module = file === undefined ? require(name) : (require(file) as Record<LateModule, unknown>)[name];
    loaded.set(name, module);
  }
  return module;
}

const loaded = new Map<LateModule, unknown>();
