import { type FieldType, fieldTypes } from "../../openapi/schemas/repositories.js";
import type { JsonValue } from "../json/json-value.js";
import type { FieldDefinition } from "./repository-schema.js";

/** The kinds of values of the keys in a field definition. */
export type FieldKeyValueKind =
  "type" | "flag" | "value" | "count" | "number" | "pattern" | "definition" | "fields";

interface KeyRule {
  /** The types of fields that the key belongs to; all without it. */
  readonly of?: FieldType;
  readonly content: FieldKeyValueKind;
}

/** The keys of part 2. */
export const fieldDefinitionKeys: Readonly<Record<keyof FieldDefinition, KeyRule>> = {
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
export const minMaxKeyPairs = [
  ["minLength", "maxLength"],
  ["min", "max"],
  ["minItems", "maxItems"],
] as const;

/** Whether the word is a key of a field definition. */
export function isFieldKey(word: string): word is keyof FieldDefinition {
  return Object.hasOwn(fieldDefinitionKeys, word);
}

/** Whether the value names a type of fields. */
export function isFieldType(value: JsonValue | undefined): value is FieldType {
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
export function describeUnknownKey(word: string, type: FieldType | undefined): string {
  const lower = word.toLowerCase().replaceAll(/[_-]/g, "");
  const keys = Object.keys(fieldDefinitionKeys) as (keyof FieldDefinition)[];
  const meant = keys.find((key) => key.toLowerCase() === lower) ?? otherWords[lower];
  if (meant !== undefined) return `is not a key of a field definition; did you mean ${meant}?`;
  const applicable = keys.filter(
    (key) => type === undefined || (fieldDefinitionKeys[key].of ?? type) === type,
  );
  const which = type === undefined ? "the keys" : `the keys of a field of type ${type}`;
  return `is not a key of a field definition; ${which} are ${applicable.join(", ")}`;
}
