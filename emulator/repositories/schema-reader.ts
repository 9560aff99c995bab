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
import type { FieldDefinition, RepositorySchema } from "./repository-schema.js";

const refusedNames = ["__proto__", "constructor", "prototype"];
const { repositorySchemaDepth, repositorySchemaFields } = emulatorDefinedLimits;

/** The kinds of values of the keys in a field definition. */
type FieldKeyValueKind = "type" | "flag" | "value" | "count" | "number" | "pattern" | "definition" | "fields";

interface KeyRule {
  /** The types of fields that the key belongs to; all without it. */
  readonly of?: FieldType;
  readonly content: FieldKeyValueKind;
}

/** The keys of part 2. */
const fieldDefinitionKeys: Readonly<Record<keyof FieldDefinition, KeyRule>> = {
  type: { content: "type" },
  required: { content: "flag" },
  default: { content: "value" },
  minLength: { of: "string", content: "count" },
  maxLength: { of: "string", content: "count" },
  pattern: { of: "string", content: "pattern" },
  min: { of: "number", content: "number" },
  max: { of: "number", content: "number" },
  items: { of: "array", content: "definition" },
  minItems: { of: "array", content: "count" },
  maxItems: { of: "array", content: "count" },
  properties: { of: "object", content: "fields" },
};

/** Pairs of bounds; the first must not be above the second. */
const minMaxKeyPairs = [
  ["minLength", "maxLength"],
  ["min", "max"],
  ["minItems", "maxItems"],
] as const;

/** Whether the word is a key of a field definition. */
function isFieldKey(word: string): word is keyof FieldDefinition {
  return Object.hasOwn(fieldDefinitionKeys, word);
}

/** Whether the value names a type of fields. */
function isFieldType(value: JsonValue | undefined): value is FieldType {
  return (fieldTypes as readonly unknown[]).includes(value);
}

const otherWords: Readonly<Record<string, keyof FieldDefinition>> = {
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
function describeUnknownKey(word: string, type: FieldType | undefined): string {
  const lower = word.toLowerCase().replaceAll(/[_-]/g, "");
  const keys = Object.keys(fieldDefinitionKeys) as (keyof FieldDefinition)[];
  const meant = keys.find((key) => key.toLowerCase() === lower) ?? getOwnField(otherWords, lower);
  if (meant !== undefined) return `is not a key of a field definition; did you mean ${meant}?`;
  const applicable = keys.filter(
    (key) => type === undefined || (fieldDefinitionKeys[key].of ?? type) === type,
  );
  const which = type === undefined ? "the keys" : `the keys of a field of type ${type}`;
  return `is not a key of a field definition; ${which} are ${applicable.join(", ")}`;
}

/** A definition with its location, for checks after reading. */
export interface LocatedDefinition {
  readonly pointer: string;
  readonly definition: FieldDefinition;
}

/** The total size of the patterns that readers may still compile. For others, they check length and estimated size. */
export interface CompileBudget {
  left: number;
}

/** Reads a repository schema that a user gave, and collects every mistake. */
export class SchemaReader {
  readonly mistakes: Mistake[] = [];
  /** Every definition read, nested ones included. */
  readonly definitions: LocatedDefinition[] = [];
  #fields = 0;
  #patternSize = 0;

  /** @param patterns the profile's answer to `pattern-match` */
  constructor(
    private readonly patterns: Profile["pattern-match"],
    private readonly compiling: CompileBudget = { left: Infinity },
  ) {}

  /** Reads field name → definition. Invalid definitions are omitted from the result. */
  fields(given: JsonValue, pointer: string, depth: number): RepositorySchema {
    const fields = new Map<string, FieldDefinition>();
    if (!isJsonObject(given)) {
      this.#note(
        pointer,
        `must be an object that maps field names to definitions, not ${describeType(given)}`,
      );
      return fields;
    }
    for (const [name, definition] of getFieldEntries(given)) {
      const place = appendPointer(pointer, name);
      if (refusedNames.includes(name)) this.#note(place, `${name} cannot be the name of a field`);
      const read = this.#definition(definition, place, depth);
      if (read !== undefined) fields.set(name, read);
    }
    return fields;
  }

  #definition(given: JsonValue, pointer: string, depth: number): FieldDefinition | undefined {
    this.#fields += 1;
    if (this.#fields === repositorySchemaFields + 1)
      this.#note(pointer, `exceeds the maximum of ${repositorySchemaFields} definitions per schema`);
    if (this.#fields > repositorySchemaFields) return undefined;
    if (depth > repositorySchemaDepth) {
      this.#note(
        pointer,
        `is nested too deeply; definitions can be nested at most ${repositorySchemaDepth} levels deep`,
      );
      return undefined;
    }
    if (!isJsonObject(given)) {
      const form = 'must be a field definition such as {"type": "string"}';
      this.#note(pointer, `${form}, not ${describeType(given)}`);
      return undefined;
    }
    const type = this.#type(given, pointer);
    const read = new Map<string, unknown>([
      ["type", type],
      ["required", false],
    ]);
    for (const [word, value] of getFieldEntries(given)) {
      const place = appendPointer(pointer, word);
      if (!isFieldKey(word)) {
        this.#note(place, describeUnknownKey(word, type));
        continue;
      }
      const { of, content } = fieldDefinitionKeys[word];
      if (type !== undefined && of !== undefined && of !== type)
        this.#note(place, `${word} is allowed only for fields of type ${of}; this field has type ${type}`);
      else if (content !== "type") {
        const held = this.#content(content, value, place, depth);
        if (held !== undefined) read.set(word, held);
      }
    }
    if (type === undefined) return undefined;
    const definition = Object.fromEntries(read) as unknown as FieldDefinition;
    this.#checkBounds(definition, pointer);
    this.definitions.push({ pointer, definition });
    return definition;
  }

  #type(given: JsonObject, pointer: string): FieldDefinition["type"] | undefined {
    const type = getField(given, "type");
    if (isFieldType(type)) return type;
    const place = appendPointer(pointer, "type");
    if (type === undefined) this.#note(place, `is required and must be one of ${fieldTypes.join(", ")}`);
    else {
      const hint = type === "integer" ? "; whole numbers have the type number" : "";
      this.#note(place, `must be one of ${fieldTypes.join(", ")}, not ${describeType(type)}${hint}`);
    }
    return undefined;
  }

  /** Returns the value of a key for the definition; undefined if it is invalid. */
  #content(content: FieldKeyValueKind, value: JsonValue, pointer: string, depth: number): unknown {
    if (content === "definition") return this.#definition(value, pointer, depth + 1);
    if (content === "fields") return this.fields(value, pointer, depth + 1);
    const read = content === "pattern" ? this.#pattern(value) : readLeaf(content, value);
    if ("value" in read) return read.value;
    this.#note(pointer, read.mistake);
    return undefined;
  }

  #pattern(value: JsonValue): LeafContent {
    const { maximumSizeOfAll } = emulatorDefinedLimits.pattern;
    if (typeof value !== "string") return { mistake: `must be a string, not ${describeType(value)}` };
    // the schema is refused already, with one mistake for all further patterns
    if (this.#patternSize > maximumSizeOfAll) return { value: undefined };
    const pattern = this.compiling.left > 0 ? LinearPattern.compile(value) : LinearPattern.estimate(value);
    // reading refused patterns takes time too: a schema with many of them is not read to its end
    const size = pattern.size ?? value.length;
    this.#patternSize += size;
    this.compiling.left -= size;
    if ("mistake" in pattern) return pattern;
    if (this.#patternSize <= maximumSizeOfAll)
      return { value: this.patterns === "whole" ? `^(?:${value})$` : value };
    return {
      mistake: "makes the schema's patterns too large in total; use fewer repetitions or character classes",
    };
  }

  #checkBounds(definition: FieldDefinition, pointer: string): void {
    for (const [low, high] of minMaxKeyPairs) {
      const { [low]: least, [high]: most } = definition;
      if (least !== undefined && most !== undefined && least > most)
        this.#note(
          appendPointer(pointer, low),
          `${low} ${least} is greater than ${high} ${most}, so no value is valid`,
        );
    }
  }

  #note(pointer: string, detail: string): void {
    this.mistakes.push({ pointer, detail });
  }
}

/** The value of a key, or the mistake in it. */
type LeafContent = { readonly value: unknown } | { readonly mistake: string };

/** Reads the value of a key that is neither a definition nor a pattern. */
function readLeaf(
  content: Exclude<FieldKeyValueKind, "definition" | "fields" | "pattern">,
  value: JsonValue,
): LeafContent {
  switch (content) {
    case "type":
    case "value":
      return { value };
    case "flag":
      if (typeof value === "boolean") return { value };
      return { mistake: `must be true or false, not ${describeType(value)}` };
    case "number": {
      const number = toNumber(value);
      return number === undefined
        ? { mistake: `must be a number, not ${describeType(value)}` }
        : { value: number };
    }
    case "count": {
      const count = toNumber(value);
      if (count !== undefined && Number.isSafeInteger(count) && count >= 0) return { value: count };
      return { mistake: `must be a whole number of at least 0, not ${describeType(value)}` };
    }
  }
}

/** A value of JSON in words, for messages. */
function describeType(value: JsonValue): string {
  if (value === null) return "null";
  if (typeof value === "string") return value.length > 40 ? "a string" : JSON.stringify(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return `the number ${value}`;
  if (value instanceof JsonNumber) return `the number ${value.text}`;
  return isJsonArray(value) ? "an array" : "an object";
}

/** Returns a JSON number as a double; undefined for other values. */
function toNumber(value: JsonValue): number | undefined {
  if (typeof value === "number") return value;
  return value instanceof JsonNumber ? value.value : undefined;
}
