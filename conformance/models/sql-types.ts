import { isLosslessNumber, LosslessNumber, parse } from "lossless-json";
import { exactValue, JsonText, writeJson } from "../client/json-text.js";

/** The types of part 2, each with all its names. */
const families = {
  VARCHAR: ["VARCHAR", "TEXT", "STRING"],
  TINYINT: ["TINYINT", "BYTE"],
  SMALLINT: ["SMALLINT", "SHORT"],
  INT: ["INT", "INTEGER"],
  BIGINT: ["BIGINT", "LONG"],
  FLOAT: ["FLOAT", "REAL"],
  DOUBLE: ["DOUBLE"],
  DECIMAL: ["DECIMAL", "NUMERIC"],
  BOOLEAN: ["BOOLEAN", "BOOL"],
  DATE: ["DATE"],
  TIME: ["TIME"],
  TIMESTAMP: ["TIMESTAMP", "DATETIME"],
  BLOB: ["BLOB", "BINARY"],
  UUID: ["UUID", "GUID"],
  TIMEUUID: ["TIMEUUID"],
  LIST: ["LIST"],
  SET: ["SET"],
  MAP: ["MAP"],
} as const;

/** A type, by the first of its names. */
export type SqlFamily = keyof typeof families;

export const sqlFamilies = Object.keys(families) as readonly SqlFamily[];

/** A type with those of its elements. */
export interface SqlType {
  readonly family: SqlFamily;
  /** One for LIST and SET, key and value for MAP, none for others. */
  readonly elements: readonly SqlType[];
}

/** The names that mean a type. */
export function namesOf(family: SqlFamily): readonly string[] {
  return families[family];
}

const familyOfName = new Map(
  Object.entries(families).flatMap(([family, names]) =>
    names.map((name): [string, SqlFamily] => [name, family as SqlFamily]),
  ),
);

/** Reads the name of a type, in any case and spacing. Returns `undefined` for what is none. */
export function readType(text: string): SqlType | undefined {
  const [, name = "", inner] = /^\s*([A-Za-z]+)\s*(?:<(.*)>)?\s*$/s.exec(text) ?? [];
  const family = familyOfName.get(name.toUpperCase());
  if (family === undefined) return undefined;
  const elements = inner === undefined ? [] : splitAtTop(inner).map(readType);
  const wanted = family === "MAP" ? 2 : family === "LIST" || family === "SET" ? 1 : 0;
  if (elements.length !== wanted) return undefined;
  const known = elements.filter((element) => element !== undefined);
  return known.length === wanted ? { family, elements: known } : undefined;
}

/** The type of a declaration of ours. */
export function typeOf(text: string): SqlType {
  const type = readType(text);
  if (type === undefined) throw new Error(`${text} is no SQL type`);
  return type;
}

/** A type in one spelling, for comparison. */
export function typeText({ family, elements }: SqlType): string {
  return elements.length === 0 ? family : `${family}<${elements.map(typeText).join(", ")}>`;
}

/** A type that an answer shows, in one spelling; as it is where it is none. */
export function normalizeType(shown: string): string {
  const type = readType(shown);
  return type === undefined ? shown : typeText(type);
}

function splitAtTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "<") depth++;
    if (text[at] === ">") depth--;
    if (text[at] !== "," || depth > 0) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** A value as it is sent, and in the one spelling in which values are compared. */
export interface SqlValue {
  /** JSON text for `parameters`. */
  readonly json: string;
  /** `null` for NULL. */
  readonly canonical: string | null;
  /** What it is a value of; left out for a text that is sent as it is. */
  readonly type?: SqlType;
}

export const sqlNull: SqlValue = { json: "null", canonical: null };

/** A value that a column of this type can hold. */
export function valueOf(type: SqlType, json: string): SqlValue {
  const canonical = canonicalText(type, parse(json), "given");
  if (canonical === undefined) throw new Error(`${json} is no ${typeText(type)}`);
  return { json, canonical: orNothing(type, canonical), type };
}

export function int(number: number): SqlValue {
  return valueOf(typeOf("INT"), String(number));
}

export function text(given: string): SqlValue {
  return valueOf(typeOf("VARCHAR"), JSON.stringify(given));
}

/**
 * The value of a column in a row of an answer, to be compared with {@link SqlValue}. What is no value of the type
 * comes back as a text that no value has.
 *
 * @param seen JSON as lossless-json reads it
 */
export function canonicalSeen(type: SqlType, seen: unknown): string | null {
  if (seen === null || seen === undefined) return null;
  return orNothing(type, canonicalText(type, seen, "seen") ?? `no ${typeText(type)}: ${writeJson(seen)}`);
}

/** A column need not tell a collection without elements from NULL. */
function orNothing({ elements }: SqlType, canonical: string): string | null {
  return elements.length > 0 && canonical === "[]" ? null : canonical;
}

/** Whether a type is a collection of collections, which a deployment need not have. */
export function isNested({ elements }: SqlType): boolean {
  return elements.some((element) => element.elements.length > 0);
}

/** A canonical value as it is sent and answered: what is compared as `15e-1` is `1.5`. */
export function shownValue(type: SqlType, canonical: string | null): unknown {
  if (canonical === null || notOfType.test(canonical)) return canonical;
  const [first, second] = type.elements;
  switch (type.family) {
    case "LIST":
    case "SET":
      return first === undefined
        ? canonical
        : (JSON.parse(canonical) as string[]).map((text) => shownValue(first, text));
    case "MAP":
      return first === undefined || second === undefined
        ? canonical
        : Object.fromEntries(
            (JSON.parse(canonical) as string[]).map((entry): [string, unknown] => {
              const [key, value] = JSON.parse(entry) as [string, string];
              const name = shownValue(first, key);
              return [name instanceof JsonText ? name.text : String(name), shownValue(second, value)];
            }),
          );
    case "DECIMAL":
      return new JsonText(plainDigits(canonical));
    case "TINYINT":
    case "SMALLINT":
    case "INT":
    case "BIGINT":
    case "FLOAT":
    case "DOUBLE":
    case "BOOLEAN":
      return new JsonText(canonical);
    case "TIME":
      return canonical.replace(/\.$/, "");
    case "TIMESTAMP":
      return new Date(Number(canonical)).toISOString();
    case "BLOB":
      return Buffer.from(canonical, "hex").toString("base64");
    default:
      return canonical;
  }
}

/** What {@link canonicalSeen} says of what is no value of a type. */
export const notOfType = /^(?:no [A-Z]+(?:<.*>)?: |no whole number: |not rounded to 32 bits: )/s;

/** Digits and a power of ten as a number is written: `15e-1` is `1.5`. */
function plainDigits(canonical: string): string {
  const [, minus = "", digits = "", power = "0"] = /^(-?)(\d+)e(-?\d+)$/.exec(canonical) ?? [];
  const exponent = Number(power);
  if (digits === "" || Math.abs(exponent) > maxZeros) return canonical;
  if (exponent >= 0) return minus + digits + "0".repeat(digits === "0" ? 0 : exponent);
  const padded = digits.padStart(1 - exponent, "0");
  return `${minus}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Numbers with more zeros than this are shown with their power of ten. */
const maxZeros = 100;

type Side = "given" | "seen";

function canonicalText(type: SqlType, value: unknown, side: Side): string | undefined {
  const [first, second] = type.elements;
  switch (type.family) {
    case "LIST":
      return first === undefined ? undefined : items(first, value, side, (texts) => texts);
    case "SET":
      return first === undefined
        ? undefined
        : // a set that is answered has nothing twice
          items(first, value, side, (texts) => (side === "given" ? [...new Set(texts)] : texts).sort());
    case "MAP":
      return first === undefined || second === undefined ? undefined : entries(first, second, value, side);
    case "BOOLEAN":
      return typeof value === "boolean" ? String(value) : undefined;
    case "TINYINT":
    case "SMALLINT":
    case "INT":
      return isLosslessNumber(value) ? wholeNumber(value.value) : undefined;
    case "BIGINT": {
      const digits = digitsOf(value);
      return digits === undefined ? undefined : wholeNumber(digits);
    }
    case "DECIMAL": {
      const digits = digitsOf(value);
      return digits === undefined ? undefined : decimalText(digits);
    }
    case "DOUBLE":
      return isLosslessNumber(value) ? String(Number(value.value) + 0) : undefined;
    case "FLOAT":
      return isLosslessNumber(value) ? floatText(Number(value.value), side) : undefined;
    default:
      return typeof value === "string" ? canonicalOfText(type.family, value) : undefined;
  }
}

function canonicalOfText(family: SqlFamily, text: string): string | undefined {
  switch (family) {
    case "DATE":
      return isDay(text) ? text : undefined;
    case "TIME": {
      const [, clock = "", fraction = ""] =
        /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?$/.exec(text) ?? [];
      return clock === "" ? undefined : `${clock}.${fraction.replace(/0+$/, "")}`;
    }
    case "TIMESTAMP": {
      // only UTC is ISO 8601 UTC
      const isInstant = /^.{10}T[\d:.]+(Z|[+-]00:?00)$/.test(text) && isDay(text.slice(0, 10));
      const at = isInstant ? Date.parse(text) : NaN;
      return Number.isNaN(at) ? undefined : String(at);
    }
    case "BLOB":
      return /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, "base64").toString("hex") : undefined;
    case "UUID":
    case "TIMEUUID":
      return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : undefined;
    default:
      return text;
  }
}

/** Whether a text is a day of the calendar: JavaScript makes March of the last days of February. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Numbers that keep their digits may come as numbers or as texts (gap `sql-number-form`). */
function digitsOf(value: unknown): string | undefined {
  if (isLosslessNumber(value)) return value.value;
  return typeof value === "string" && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(value) ? value : undefined;
}

function wholeNumber(digits: string): string | undefined {
  const text = decimalText(digits);
  const [mantissa = "", exponent = ""] = text.split("e");
  return Number(exponent) >= 0
    ? (BigInt(mantissa) * 10n ** BigInt(exponent)).toString()
    : `no whole number: ${digits}`;
}

/** All digits without zeros at the ends, and the power of ten: `-15e-1`. */
function decimalText(digits: string): string {
  const value = exactValue(digits);
  return value === "0" ? "0e0" : value;
}

/** A 32-bit number may be written out in full, or with the few digits that tell it from its neighbours. */
function floatText(number: number, side: Side): string {
  const rounded = Math.fround(number);
  if (side === "given" || number === rounded) return String(rounded + 0);
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(rounded.toPrecision(digits));
    if (Math.fround(short) === rounded && short === number) return String(rounded);
  }
  return `not rounded to 32 bits: ${number}`;
}

function items(
  element: SqlType,
  value: unknown,
  side: Side,
  order: (texts: string[]) => string[],
): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((item) => canonicalText(element, item, side));
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length ? JSON.stringify(order(known)) : undefined;
}

function entries(key: SqlType, element: SqlType, value: unknown, side: Side): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isLosslessNumber(value))
    return undefined;
  const texts: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    // names of members are texts, whatever the type of the key
    const isNumber = ["TINYINT", "SMALLINT", "INT", "BIGINT"].includes(key.family) && /^-?\d+$/.test(name);
    const keyText = canonicalText(key, isNumber ? new LosslessNumber(name) : name, side);
    const memberText = canonicalText(element, member, side);
    if (keyText === undefined || memberText === undefined) return undefined;
    texts.push(JSON.stringify([keyText, memberText]));
  }
  return JSON.stringify(texts.sort());
}

/**
 * The order of two values of a type, both canonical: negative when the first comes first. Texts have an order that
 * every deployment agrees on only where they are small letters and digits; UUIDs, collections have none.
 */
export function compareValues({ family }: SqlType, a: string, b: string): number {
  switch (family) {
    case "DECIMAL":
      return compareDecimals(a, b);
    case "TINYINT":
    case "SMALLINT":
    case "INT":
    case "BIGINT":
      return sign(BigInt(a) - BigInt(b));
    case "DOUBLE":
    case "FLOAT":
    case "TIMESTAMP":
      return Math.sign(Number(a) - Number(b));
    default:
      // hexadecimal digits order like the bytes they stand for, "false" comes before "true"
      return a < b ? -1 : a > b ? 1 : 0;
  }
}

function compareDecimals(a: string, b: string): number {
  const [left = "", leftExponent = ""] = a.split("e");
  const [right = "", rightExponent = ""] = b.split("e");
  const least = Math.min(Number(leftExponent), Number(rightExponent));
  const scaled = (mantissa: string, exponent: string) =>
    BigInt(mantissa) * 10n ** BigInt(Number(exponent) - least);
  return sign(scaled(left, leftExponent) - scaled(right, rightExponent));
}

function sign(number: bigint): number {
  return number < 0n ? -1 : number > 0n ? 1 : 0;
}
