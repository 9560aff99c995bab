import type { ValidateFunction } from "ajv";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { packagedFile } from "../packaged/packaged-file.js";

const require = createRequire(import.meta.url);

/** The files of the validators by the texts of their schemas. */
let files: ReadonlyMap<string, string> | undefined;

/**
 * The validator of a schema that the build has compiled, as it has those of every request of the default profile and of
 * the control plane: loading Ajv and compiling with it would be most of the time to the first answer.
 *
 * @param text what the schema says, as `SchemaCompiler.textOf` gives it
 */
export function precompiled(text: string): ValidateFunction | undefined {
  files ??= filesByText();
  const file = files.get(text);
  return file === undefined ? undefined : (require(file) as ValidateFunction);
}

function filesByText(): ReadonlyMap<string, string> {
  const list = packagedFile("late/validators/texts.json");
  if (list === undefined) return new Map();
  const texts = JSON.parse(readFileSync(list, "utf8")) as readonly string[];
  return new Map(texts.map((text, index) => [text, join(dirname(list), `${index}.cjs`)]));
}
