import type { Profile } from "../../openapi/gaps/profile.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { getOwnField } from "../../openapi/text/get-own-field.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import type { FieldType } from "../../openapi/schemas/repositories.js";
import { compareNumbers } from "../json/compare-numbers.js";
import {
  type JsonObject,
  type JsonValue,
  getFieldEntries,
  getField,
  JsonNumber,
} from "../json/json-value.js";
import { stringifyJson } from "../json/stringify-json.js";
import { LinearPattern } from "./linear-pattern.js";
import type { Mistake } from "../../openapi/validation/truncate-mistakes.js";

/** The definition of a field (part 2). Bounds are inclusive. */
export interface FieldDefinition {
  readonly type: FieldType;
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly min?: number | JsonNumber;
  readonly max?: number | JsonNumber;
  readonly items?: FieldDefinition;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: RepositorySchema;
}

/** A valid repository schema: field name → definition, in the order given. A schema without fields allows any object. */
export type RepositorySchema = ReadonlyMap<string, FieldDefinition>;

const forbiddenNames = ["__proto__", "constructor", "prototype"];
const { repositorySchemaDepth, repositorySchemaFields } = emulatorDefinedLimits;

/** The type of fields that may have a key; all fields may have the other keys of part 2. */
const keyTypes: Readonly<Record<string, FieldType>> = {
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  min: "number",
  max: "number",
  items: "array",
  minItems: "array",
  maxItems: "array",
  properties: "object",
};

/** Pairs of bounds, the lower bound first. */
const minMaxKeyPairs = [
  ["minLength", "maxLength"],
  ["min", "max"],
  ["minItems", "maxItems"],
] as const;

/** A definition with its location, for checks after reading. */
export interface LocatedDefinition {
  readonly pointer: string;
  readonly definition: FieldDefinition;
}

/**
 * Reads a repository schema that matches the contract, and collects every other mistake: forbidden names, keys that do not
 * apply to the type, bounds that exclude all values, unusable patterns, and too many or too deeply nested definitions.
 */
export class SchemaReader {
  readonly mistakes: Mistake[] = [];
  /** Every definition read, nested ones included. */
  readonly definitions: LocatedDefinition[] = [];
  #fields = 0;
  #patternSize = 0;

  constructor(
    private readonly patternMatch: Profile["pattern-match"],
    /** Checks a pattern. By default, patterns are compiled. */
    private readonly checkPattern: typeof LinearPattern.estimate = (source) => LinearPattern.compile(source),
  ) {}

  /** Reads field name → definition. */
  readFields(given: JsonObject, pointer: string, depth: number): RepositorySchema {
    const fields = new Map<string, FieldDefinition>();
    for (const [name, definition] of getFieldEntries(given)) {
      const place = appendPointer(pointer, name);
      if (forbiddenNames.includes(name)) this.#report(place, `${name} cannot be the name of a field`);
      const read = this.#readDefinition(definition as JsonObject, place, depth);
      if (read !== undefined) fields.set(name, read);
    }
    return fields;
  }

  #readDefinition(given: JsonObject, pointer: string, depth: number): FieldDefinition | undefined {
    this.#fields += 1;
    if (this.#fields === repositorySchemaFields + 1)
      this.#report(pointer, `exceeds the maximum of ${repositorySchemaFields} definitions per schema`);
    if (this.#fields > repositorySchemaFields) return undefined;
    if (depth > repositorySchemaDepth) {
      this.#report(
        pointer,
        `is nested too deeply; definitions can be nested at most ${repositorySchemaDepth} levels deep`,
      );
      return undefined;
    }
    const type = getField(given, "type") as FieldType;
    const values = new Map<string, unknown>([["required", false]]);
    for (const [key, value] of getFieldEntries(given)) {
      const place = appendPointer(pointer, key);
      const keyType = getOwnField(keyTypes, key) ?? type;
      if (keyType === type) values.set(key, this.#readValue(key, value, place, depth));
      else
        this.#report(
          place,
          `${key} is allowed only for fields of type ${keyType}; this field has type ${type}`,
        );
    }
    const definition = Object.fromEntries(values) as unknown as FieldDefinition;
    this.#checkBounds(definition, pointer);
    this.definitions.push({ pointer, definition });
    return definition;
  }

  #readValue(key: string, value: JsonValue, pointer: string, depth: number): unknown {
    switch (key) {
      case "default":
      case "min":
      case "max":
        return value;
      case "items":
        return this.#readDefinition(value as JsonObject, pointer, depth + 1);
      case "properties":
        return this.readFields(value as JsonObject, pointer, depth + 1);
      case "pattern":
        return this.#readPattern(value as string, pointer);
      default:
        return value instanceof JsonNumber ? value.value : value;
    }
  }

  /** Returns the pattern by which texts are matched. */
  #readPattern(source: string, pointer: string): string {
    const { maximumSizeOfAll } = emulatorDefinedLimits.pattern;
    // If the patterns are already too large, all further ones make no difference.
    if (this.#patternSize <= maximumSizeOfAll) {
      const pattern = this.checkPattern(source);
      // Reading invalid patterns takes time, too.
      this.#patternSize += pattern.size ?? source.length;
      if ("mistake" in pattern) this.#report(pointer, pattern.mistake);
      else if (this.#patternSize > maximumSizeOfAll)
        this.#report(
          pointer,
          "makes the schema's patterns too large in total; use fewer repetitions or character classes",
        );
    }
    return this.patternMatch === "whole" ? `^(?:${source})$` : source;
  }

  #checkBounds(definition: FieldDefinition, pointer: string): void {
    for (const [minKey, maxKey] of minMaxKeyPairs) {
      const { [minKey]: min, [maxKey]: max } = definition;
      if (min !== undefined && max !== undefined && compareNumbers(min, max) > 0)
        this.#report(
          appendPointer(pointer, minKey),
          `${minKey} ${stringifyJson(min)} is greater than ${maxKey} ${stringifyJson(max)}, so no value is valid`,
        );
    }
  }

  #report(pointer: string, detail: string): void {
    this.mistakes.push({ pointer, detail });
  }
}
