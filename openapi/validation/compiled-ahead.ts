import type { ValidateFunction } from "ajv";
import { createRequire } from "node:module";
import { packagedFile } from "../packaged/packaged-file.js";

const require = createRequire(import.meta.url);

type Compiled = Readonly<Record<string, ValidateFunction>>;
let compiled: Compiled | undefined;

/**
 * The validator of a schema that the build has compiled, as it has those of every request of the default profile and of
 * the control plane: loading Ajv and compiling with it would be most of the time to the first answer.
 *
 * @param text what the schema says, as `SchemaCompiler.textOf` gives it
 */
export function compiledAhead(text: string): ValidateFunction | undefined {
  if (compiled === undefined) {
    const file = packagedFile("late/validators.cjs");
    compiled = file === undefined ? {} : (require(file) as Compiled);
  }
  return Object.hasOwn(compiled, text) ? compiled[text] : undefined;
}
