import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import type { SqlTypeFamily, SqlType } from "./sql-types.js";
import { isJsonObject } from "../client/json-text.js";

/** The formats that a deployment uses, in parameters and rows, for values that JSON cannot express directly. */
export interface SqlValueFormats {
  readonly blob: "base64" | "hex" | "0x";
  readonly dateTime: "text" | "number";
  readonly map: "object" | "pairs" | "entries";
  /** BIGINT and DECIMAL in parameters: as strings if the deployment reads numbers as doubles. */
  readonly number: "number" | "string";
}

/** The formats that checks and generators use. */
export const suiteValueFormats: SqlValueFormats = {
  blob: "base64",
  dateTime: "text",
  map: "object",
  number: "number",
};

/** The format on which the values of a type depend. */
const ownForm: Readonly<Partial<Record<SqlTypeFamily, keyof SqlValueFormats>>> = {
  BLOB: "blob",
  DATE: "dateTime",
  TIME: "dateTime",
  MAP: "map",
  BIGINT: "number",
  DECIMAL: "number",
};

/** Lists the formats on which the values of a type depend, including those for its elements. */
export function listNeededFormats({ family, elements }: SqlType): readonly (keyof SqlValueFormats)[] {
  return [...[ownForm[family] ?? []].flat(), ...elements.flatMap(listNeededFormats)];
}

/** Encodes a value as JSON text in the formats of a deployment. */
export function encodeSqlValue(type: SqlType, json: string, forms: SqlValueFormats): string {
  const isOwn = listNeededFormats(type).every((form) => forms[form] === suiteValueFormats[form]);
  return isOwn ? json : (stringify(toForms(type, parse(json), forms)) ?? json);
}

function toForms(type: SqlType, value: unknown, forms: SqlValueFormats): unknown {
  const [first, second] = type.elements;
  if (Array.isArray(value) && first !== undefined) return value.map((item) => toForms(first, item, forms));
  if (type.family === "MAP" && first !== undefined && second !== undefined && isJsonObject(value)) {
    const entries = Object.entries(value).map(
      ([name, member]) =>
        [toForms(first, keyOf(first, name), forms), toForms(second, member, forms)] as const,
    );
    if (forms.map === "pairs") return entries;
    if (forms.map === "entries") return entries.map(([key, member]) => ({ key, value: member }));
    return objectOf(entries.map(([key, member]) => [textOf(key), member]));
  }
  if (isLosslessNumber(value) && forms.number === "string" && ["BIGINT", "DECIMAL"].includes(type.family))
    return value.value;
  if (typeof value !== "string") return value;
  if (type.family === "BLOB" && forms.blob !== "base64")
    return (forms.blob === "0x" ? "0x" : "") + Buffer.from(value, "base64").toString("hex");
  if (forms.dateTime === "number" && type.family === "DATE")
    return new LosslessNumber(String(Date.parse(`${value}T00:00:00Z`) / dayMs));
  if (forms.dateTime === "number" && type.family === "TIME")
    return new LosslessNumber(String(Date.parse(`1970-01-01T${value}Z`)));
  return value;
}

const dayMs = 86_400_000;

/** Converts a value in an answer from the formats of the deployment to those of the checks; other values are unchanged. */
export function decodeSqlValue(type: SqlType, value: unknown, forms: SqlValueFormats): unknown {
  const [first, second] = type.elements;
  if (type.family === "MAP" && first !== undefined && second !== undefined) {
    const entries = entriesOf(first, value);
    // a key that is there twice is no map
    if (entries === undefined || new Set(entries.map(([key]) => textOf(key))).size < entries.length)
      return value;
    return objectOf(
      entries.map(([key, member]) => [
        textOf(decodeSqlValue(first, key, forms)),
        decodeSqlValue(second, member, forms),
      ]),
    );
  }
  if (Array.isArray(value) && first !== undefined)
    return value.map((item) => decodeSqlValue(first, item, forms));
  if (type.family === "BLOB" && typeof value === "string") return bytesOf(value, forms.blob);
  // a number can mean nothing else
  if (type.family === "DATE" && isLosslessNumber(value))
    return dateOf(Number(value.value) * dayMs, 0, 10) ?? value;
  if (type.family === "TIME" && isLosslessNumber(value)) return dateOf(Number(value.value), 11, 23) ?? value;
  return value;
}

/** Converts bytes to base64; a value in another format becomes a text that no bytes have. */
function bytesOf(text: string, form: SqlValueFormats["blob"]): string {
  if (form === "base64") return text;
  const [, digits] = (form === "0x" ? /^0x((?:[0-9a-f]{2})*)$/i : /^((?:[0-9a-f]{2})*)$/i).exec(text) ?? [];
  return digits === undefined ? `not valid ${form}: ${text}` : Buffer.from(digits, "hex").toString("base64");
}

function dateOf(at: number, from: number, to: number): string | undefined {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(from, to);
}

function entriesOf(key: SqlType, value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (isJsonObject(value)) return Object.entries(value).map(([name, member]) => [keyOf(key, name), member]);
  if (!Array.isArray(value)) return undefined;
  const entries = value.map((entry: unknown) => {
    if (Array.isArray(entry) && entry.length === 2) return [entry[0], entry[1]] as const;
    return isJsonObject(entry) && "key" in entry && "value" in entry
      ? ([entry.key, entry.value] as const)
      : undefined;
  });
  const known = entries.filter((entry) => entry !== undefined);
  return known.length === entries.length ? known : undefined;
}

/** Types whose values are or may be numbers. */
const numbered: readonly SqlTypeFamily[] = ["TINYINT", "SMALLINT", "INT", "BIGINT", "DATE", "TIME"];

/** Converts a field name to a key: field names are strings, whatever the type of the key. */
function keyOf({ family }: SqlType, name: string): unknown {
  return numbered.includes(family) && /^-?\d+$/.test(name) ? new LosslessNumber(name) : name;
}

function textOf(key: unknown): string {
  return isLosslessNumber(key) ? key.value : String(key);
}

/** Creates an object with any field names, including `__proto__`. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries);
}
