import { findFileMistakes } from "../../openapi/validation/find-file-mistakes.js";
import { resolvePointer } from "../../openapi/validation/json-pointer.js";
import { findPrecompiled, hashSchema } from "../../openapi/validation/schema-compiler.js";
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  getFieldEntries,
} from "../json/json-value.js";
import type { SeedMistakes } from "./seed-error.js";
import { buildSeedSchema } from "./build-seed-schema.js";
import { freeFormPointer, readElement, type SeedRoot } from "./seed-element.js";

/** Validates a seed by its schema, and converts it to elements. @throws SeedError with every mistake in its structure */
export function validateSeed(json: JsonValue, mistakes: SeedMistakes): SeedRoot {
  const seed = toPlainValue(json, "");
  const schema = buildSeedSchema();
  // A valid seed does not need the validator that finds every mistake.
  if (findPrecompiled(hashSchema(schema))?.(seed) !== true)
    for (const { pointer, detail, keyword } of findFileMistakes(seed, schema))
      mistakes.add(
        pointer,
        keyword === "pattern" ? `${detail}, but is ${JSON.stringify(resolvePointer(seed, pointer))}` : detail,
      );
  mistakes.throwIfAny();
  return readElement(seed, mistakes) as SeedRoot;
}

/** Free-form values keep all digits and the order of fields. */
function toPlainValue(json: JsonValue, pointer: string): unknown {
  if (json instanceof JsonNumber) return json.value;
  if (isJsonArray(json)) return json.map((element, index) => toPlainValue(element, `${pointer}/${index}`));
  if (!isJsonObject(json) || freeFormPointer.test(pointer)) return json;
  const members = [...getFieldEntries(json)];
  return Object.fromEntries(
    members.map(([name, value]) => [name, toPlainValue(value, `${pointer}/${name}`)]),
  );
}
