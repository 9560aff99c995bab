import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";
import { isJsonObject } from "../client/json-text.js";
import { type SqlTypeFamily, type SqlType, toMapKey } from "./sql-types.js";

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
const formatOfFamily: Readonly<Partial<Record<SqlTypeFamily, keyof SqlValueFormats>>> = {
  BLOB: "blob",
  DATE: "dateTime",
  TIME: "dateTime",
  MAP: "map",
  BIGINT: "number",
  DECIMAL: "number",
};

const dayMs = 86_400_000;

/** Lists the formats on which the values of a type depend, including those for its elements. */
export function listNeededFormats({ family, elements }: SqlType): readonly (keyof SqlValueFormats)[] {
  return [...[formatOfFamily[family] ?? []].flat(), ...elements.flatMap(listNeededFormats)];
}

/** Encodes a value as JSON text in the formats of a deployment. */
export function encodeSqlValue(type: SqlType, json: string, formats: SqlValueFormats): string {
  const isUnchanged = listNeededFormats(type).every((name) => formats[name] === suiteValueFormats[name]);
  return isUnchanged ? json : (stringify(encode(type, parse(json), formats)) ?? json);
}

function encode(type: SqlType, value: unknown, formats: SqlValueFormats): unknown {
  const { family, elements } = type;
  const [first, second] = elements;
  if (Array.isArray(value) && first !== undefined) return value.map((item) => encode(first, item, formats));
  if (first !== undefined && second !== undefined && isJsonObject(value)) {
    const entries = Object.entries(value).map(
      ([name, member]) =>
        [encode(first, toMapKey(first, name), formats), encode(second, member, formats)] as const,
    );
    if (formats.map === "pairs") return entries;
    if (formats.map === "entries") return entries.map(([key, member]) => ({ key, value: member }));
    return Object.fromEntries(entries.map(([key, member]) => [toFieldName(key), member]));
  }
  if (isLosslessNumber(value) && formatOfFamily[family] === "number" && formats.number === "string")
    return value.value;
  if (typeof value !== "string") return value;
  if (family === "BLOB" && formats.blob !== "base64")
    return (formats.blob === "0x" ? "0x" : "") + Buffer.from(value, "base64").toString("hex");
  if (formatOfFamily[family] === "dateTime" && formats.dateTime === "number")
    return new LosslessNumber(
      String(family === "DATE" ? Date.parse(value) / dayMs : Date.parse(`1970-01-01T${value}Z`)),
    );
  return value;
}

/** Converts a value in a response from the formats of the deployment to those of the checks; other values are unchanged. */
export function decodeSqlValue(type: SqlType, value: unknown, formats: SqlValueFormats): unknown {
  const { family, elements } = type;
  const [first, second] = elements;
  if (first !== undefined && second !== undefined) {
    const entries = readEntries(first, value)?.map(
      ([key, member]) =>
        [toFieldName(decodeSqlValue(first, key, formats)), decodeSqlValue(second, member, formats)] as const,
    );
    // A key that occurs twice is a fault that an object would hide.
    if (entries === undefined || new Set(entries.map(([key]) => key)).size < entries.length) return value;
    return Object.fromEntries(entries);
  }
  if (Array.isArray(value) && first !== undefined)
    return value.map((item) => decodeSqlValue(first, item, formats));
  if (family === "BLOB" && typeof value === "string") return toBase64(value, formats.blob);
  if (formatOfFamily[family] === "dateTime" && isLosslessNumber(value)) {
    const date = new Date(Number(value.value) * (family === "DATE" ? dayMs : 1));
    if (Number.isNaN(date.getTime())) return value;
    return family === "DATE" ? date.toISOString().slice(0, 10) : date.toISOString().slice(11, 23);
  }
  return value;
}

/** Converts bytes to base64; a value in another format becomes a text that is not base64. */
function toBase64(text: string, format: SqlValueFormats["blob"]): string {
  if (format === "base64") return text;
  const [, digits] = (format === "0x" ? /^0x((?:[0-9a-f]{2})*)$/i : /^((?:[0-9a-f]{2})*)$/i).exec(text) ?? [];
  return digits === undefined
    ? `not valid ${format}: ${text}`
    : Buffer.from(digits, "hex").toString("base64");
}

/** Reads the entries of a MAP in any format; undefined if the value is not a MAP. */
function readEntries(key: SqlType, value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (isJsonObject(value))
    return Object.entries(value).map(([name, member]) => [toMapKey(key, name), member]);
  if (!Array.isArray(value)) return undefined;
  const entries = value.flatMap((entry: unknown): [unknown, unknown][] => {
    if (Array.isArray(entry) && entry.length === 2) return [[entry[0], entry[1]]];
    return isJsonObject(entry) && "key" in entry && "value" in entry ? [[entry.key, entry.value]] : [];
  });
  return entries.length === value.length ? entries : undefined;
}

function toFieldName(key: unknown): string {
  return isLosslessNumber(key) ? key.value : String(key);
}
