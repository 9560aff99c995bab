import type { Profile } from "../../openapi/gaps/profile.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { getOwnField } from "../../openapi/text/get-own-field.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { type FieldType, fieldTypes } from "../../openapi/schemas/repositories.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  getFieldEntries,
  getField,
  isJsonArray,
  JsonNumber,
} from "../json/json-value.js";
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
  readonly min?: number;
  readonly max?: number;
  readonly items?: FieldDefinition;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: RepositorySchema;
}

/** A valid repository schema: field name → definition, in the order given. A schema without fields allows any object. */
export type RepositorySchema = ReadonlyMap<string, FieldDefinition>;

const forbiddenNames = ["__proto__", "constructor", "prototype"];
const { repositorySchemaDepth, repositorySchemaFields } = emulatorDefinedLimits;

/** The kinds of values of the keys in a field definition. */
type FieldKeyValueKind = "type" | "flag" | "value" | "count" | "number" | "pattern" | "definition" | "fields";

interface KeyRule {
  /** The type of fields that may have the key; undefined for all types. */
  readonly fieldType?: FieldType;
  readonly kind: FieldKeyValueKind;
}

/** The keys of part 2. */
const fieldDefinitionKeys: Readonly<Record<keyof FieldDefinition, KeyRule>> = {
  type: { kind: "type" },
  required: { kind: "flag" },
  default: { kind: "value" },
  minLength: { fieldType: "string", kind: "count" },
  maxLength: { fieldType: "string", kind: "count" },
  pattern: { fieldType: "string", kind: "pattern" },
  min: { fieldType: "number", kind: "number" },
  max: { fieldType: "number", kind: "number" },
  items: { fieldType: "array", kind: "definition" },
  minItems: { fieldType: "array", kind: "count" },
  maxItems: { fieldType: "array", kind: "count" },
  properties: { fieldType: "object", kind: "fields" },
};

/** Pairs of bounds, the lower bound first. */
const minMaxKeyPairs = [
  ["minLength", "maxLength"],
  ["min", "max"],
  ["minItems", "maxItems"],
] as const;

/** Common wrong names of keys, in lower case. */
const likelyKeys: Readonly<Record<string, keyof FieldDefinition>> = {
  minimum: "min",
  maximum: "max",
  minlen: "minLength",
  maxlen: "maxLength",
  regex: "pattern",
  regexp: "pattern",
  fields: "properties",
  defaultvalue: "default",
  element: "items",
  elements: "items",
};

/** Returns the message for an unknown key. */
function describeUnknownKey(key: string, type: FieldType | undefined): string {
  const lower = key.toLowerCase().replaceAll(/[_-]/g, "");
  const keys = Object.keys(fieldDefinitionKeys) as (keyof FieldDefinition)[];
  const likely = keys.find((known) => known.toLowerCase() === lower) ?? getOwnField(likelyKeys, lower);
  if (likely !== undefined) return `is not a key of a field definition; did you mean ${likely}?`;
  const applicable = keys.filter(
    (known) => type === undefined || (fieldDefinitionKeys[known].fieldType ?? type) === type,
  );
  const which = type === undefined ? "the keys" : `the keys of a field of type ${type}`;
  return `is not a key of a field definition; ${which} are ${applicable.join(", ")}`;
}

/** A definition with its location, for checks after reading. */
export interface LocatedDefinition {
  readonly pointer: string;
  readonly definition: FieldDefinition;
}

/** Reads a repository schema that a user has given, and collects every mistake. */
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

  /** Reads field name → definition. Invalid definitions are omitted from the result. */
  readFields(given: JsonValue, pointer: string, depth: number): RepositorySchema {
    const fields = new Map<string, FieldDefinition>();
    if (!isJsonObject(given)) {
      this.#report(
        pointer,
        `must be an object that maps field names to definitions, not ${describeType(given)}`,
      );
      return fields;
    }
    for (const [name, definition] of getFieldEntries(given)) {
      const place = appendPointer(pointer, name);
      if (forbiddenNames.includes(name)) this.#report(place, `${name} cannot be the name of a field`);
      const read = this.#readDefinition(definition, place, depth);
      if (read !== undefined) fields.set(name, read);
    }
    return fields;
  }

  #readDefinition(given: JsonValue, pointer: string, depth: number): FieldDefinition | undefined {
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
    if (!isJsonObject(given)) {
      const form = 'must be a field definition such as {"type": "string"}';
      this.#report(pointer, `${form}, not ${describeType(given)}`);
      return undefined;
    }
    const type = this.#readType(given, pointer);
    const values = new Map<string, unknown>([
      ["type", type],
      ["required", false],
    ]);
    for (const [key, value] of getFieldEntries(given)) {
      const place = appendPointer(pointer, key);
      const rule = getOwnField(fieldDefinitionKeys as Readonly<Record<string, KeyRule>>, key);
      if (rule === undefined) this.#report(place, describeUnknownKey(key, type));
      else if (type !== undefined && (rule.fieldType ?? type) !== type)
        this.#report(
          place,
          `${key} is allowed only for fields of type ${rule.fieldType}; this field has type ${type}`,
        );
      else if (rule.kind !== "type") {
        const read = this.#readValue(rule.kind, value, place, depth);
        if (read !== undefined) values.set(key, read);
      }
    }
    if (type === undefined) return undefined;
    const definition = Object.fromEntries(values) as unknown as FieldDefinition;
    this.#checkBounds(definition, pointer);
    this.definitions.push({ pointer, definition });
    return definition;
  }

  #readType(given: JsonObject, pointer: string): FieldType | undefined {
    const name = getField(given, "type");
    const type = fieldTypes.find((known) => known === name);
    if (type !== undefined) return type;
    const place = appendPointer(pointer, "type");
    if (name === undefined) this.#report(place, `is required and must be one of ${fieldTypes.join(", ")}`);
    else {
      const hint = name === "integer" ? "; whole numbers have the type number" : "";
      this.#report(place, `must be one of ${fieldTypes.join(", ")}, not ${describeType(name)}${hint}`);
    }
    return undefined;
  }

  /** Returns the value of a key for the definition; undefined if it is invalid. */
  #readValue(kind: FieldKeyValueKind, value: JsonValue, pointer: string, depth: number): unknown {
    if (kind === "definition") return this.#readDefinition(value, pointer, depth + 1);
    if (kind === "fields") return this.readFields(value, pointer, depth + 1);
    const read = kind === "pattern" ? this.#readPattern(value) : readSimpleValue(kind, value);
    if ("value" in read) return read.value;
    this.#report(pointer, read.mistake);
    return undefined;
  }

  #readPattern(value: JsonValue): ReadValue {
    const { maximumSizeOfAll } = emulatorDefinedLimits.pattern;
    if (typeof value !== "string") return { mistake: `must be a string, not ${describeType(value)}` };
    // The schema is already invalid; all further patterns make no difference.
    if (this.#patternSize > maximumSizeOfAll) return { value: undefined };
    const pattern = this.checkPattern(value);
    // Reading invalid patterns takes time, too.
    this.#patternSize += pattern.size ?? value.length;
    if ("mistake" in pattern) return pattern;
    if (this.#patternSize <= maximumSizeOfAll)
      return { value: this.patternMatch === "whole" ? `^(?:${value})$` : value };
    return {
      mistake: "makes the schema's patterns too large in total; use fewer repetitions or character classes",
    };
  }

  #checkBounds(definition: FieldDefinition, pointer: string): void {
    for (const [minKey, maxKey] of minMaxKeyPairs) {
      const { [minKey]: min, [maxKey]: max } = definition;
      if (min !== undefined && max !== undefined && min > max)
        this.#report(
          appendPointer(pointer, minKey),
          `${minKey} ${min} is greater than ${maxKey} ${max}, so no value is valid`,
        );
    }
  }

  #report(pointer: string, detail: string): void {
    this.mistakes.push({ pointer, detail });
  }
}

/** The value of a key, or the mistake in it. */
type ReadValue = { readonly value: unknown } | { readonly mistake: string };

/** Reads the value of a key that is neither a definition nor a pattern. */
function readSimpleValue(
  kind: Exclude<FieldKeyValueKind, "definition" | "fields" | "pattern">,
  value: JsonValue,
): ReadValue {
  const number = value instanceof JsonNumber ? value.value : value;
  switch (kind) {
    case "type":
    case "value":
      return { value };
    case "flag":
      if (typeof value === "boolean") return { value };
      return { mistake: `must be true or false, not ${describeType(value)}` };
    case "number":
      if (typeof number === "number") return { value: number };
      return { mistake: `must be a number, not ${describeType(value)}` };
    case "count":
      if (Number.isSafeInteger(number) && (number as number) >= 0) return { value: number };
      return { mistake: `must be a whole number of at least 0, not ${describeType(value)}` };
  }
}

/** Describes a JSON value in messages. */
function describeType(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return `the number ${value}`;
  if (value instanceof JsonNumber) return `the number ${value.text}`;
  return isJsonArray(value) ? "an array" : "an object";
}
