import { isLosslessNumber, LosslessNumber, parse } from "lossless-json";
import { normalizeNumber, stringifyJson, stripTrailingZeros } from "../client/json-text.js";

type Side = "given" | "seen";

/** How values of a type are compared. */
interface Codec {
  /** Other names of the type. */
  readonly also?: readonly string[];
  /** Number of element types. Defaults to 0. */
  readonly arity?: number;
  /** Converts a value to its canonical form, a JSON text; undefined if it does not belong to the type. */
  readonly read: (value: unknown, side: Side, elements: readonly SqlType[]) => string | undefined;
  /** Compares two canonical values. Defaults to the order of texts. */
  readonly compare?: (a: string, b: string) => number;
}

const ofText =
  (read: (text: string) => string | undefined): Codec["read"] =>
  (value) => {
    const text = typeof value === "string" ? read(value) : undefined;
    return text === undefined ? undefined : JSON.stringify(text);
  };

const ofNumber =
  (read: (digits: string, side: Side) => string | undefined): Codec["read"] =>
  (value, side) =>
    isLosslessNumber(value) ? read(value.value, side) : undefined;

/** Exact numbers may be returned as numbers or as strings (gap `sql-number-form`). */
const ofDigits =
  (read: (digits: string) => string | undefined): Codec["read"] =>
  (value) => {
    if (isLosslessNumber(value)) return read(value.value);
    const isNumber = typeof value === "string" && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(value);
    return isNumber ? read(value) : undefined;
  };

const compare = (a: string, b: string) => Math.sign(Number(a) - Number(b));
const compareIntegers = (a: string, b: string) => sign(BigInt(a) - BigInt(b));
const small = { read: ofNumber(wholeNumber), compare: compareIntegers } as const;
const uuid = {
  read: ofText((text) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  ),
} as const;

/** The types of part 2. */
const codecs = {
  VARCHAR: { also: ["TEXT", "STRING"], read: ofText((text) => text) },
  TINYINT: { also: ["BYTE"], ...small },
  SMALLINT: { also: ["SHORT"], ...small },
  INT: { also: ["INTEGER"], ...small },
  BIGINT: { also: ["LONG"], read: ofDigits(wholeNumber), compare: compareIntegers },
  FLOAT: { also: ["REAL"], read: ofNumber(floatText), compare },
  DOUBLE: { read: ofNumber((digits) => String(Number(digits) + 0)), compare },
  DECIMAL: { also: ["NUMERIC"], read: ofDigits(plainDigits), compare: compareDecimals },
  BOOLEAN: {
    also: ["BOOL"],
    read: (value) => (typeof value === "boolean" ? String(value) : undefined),
  },
  DATE: { read: ofText((text) => (isDay(text) ? text : undefined)) },
  TIME: {
    read: ofText((text) => {
      const [, clock, fraction = ""] = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?$/.exec(text) ?? [];
      const digits = stripTrailingZeros(fraction);
      return clock === undefined || digits === "" ? clock : `${clock}.${digits}`;
    }),
  },
  TIMESTAMP: {
    also: ["DATETIME"],
    read: ofText((text) => {
      // only UTC is ISO 8601 UTC
      const isInstant = /^.{10}T[\d:.]+(Z|[+-]00:?00)$/.test(text) && isDay(text.slice(0, 10));
      const at = isInstant ? Date.parse(text) : NaN;
      return Number.isNaN(at) ? undefined : new Date(at).toISOString();
    }),
  },
  BLOB: {
    also: ["BINARY"],
    read: ofText((text) =>
      /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, "base64").toString("base64") : undefined,
    ),
  },
  UUID: { also: ["GUID"], ...uuid },
  TIMEUUID: uuid,
  LIST: { arity: 1, read: (value, side, [element]) => items(element, value, side) },
  SET: {
    arity: 1,
    read: (value, side, [element]) =>
      // a set that is answered has nothing twice
      items(element, value, side, (texts) => (side === "given" ? [...new Set(texts)] : texts).sort()),
  },
  MAP: { arity: 2, read: (value, side, [key, element]) => entries(key, element, value, side) },
} as const satisfies Readonly<Record<string, Codec>>;

/** A type, identified by the first of its names. */
export type SqlTypeFamily = keyof typeof codecs;

export const sqlTypeFamilies = Object.keys(codecs) as readonly SqlTypeFamily[];

/** A type with the types of its elements. */
export interface SqlType {
  readonly family: SqlTypeFamily;
  /** Element types: one for LIST and SET, two (key and value) for MAP, none for other types. */
  readonly elements: readonly SqlType[];
}

function codecOf(family: SqlTypeFamily): Codec {
  return codecs[family];
}

/** Returns all names of a type. */
export function getSqlTypeNames(family: SqlTypeFamily): readonly string[] {
  return [family, ...(codecOf(family).also ?? [])];
}

const familyOfName = new Map(
  sqlTypeFamilies.flatMap((family) =>
    getSqlTypeNames(family).map((name): [string, SqlTypeFamily] => [name, family]),
  ),
);

/** Parses the name of a type, in any case and spacing; returns `undefined` if it is not a type. */
export function parseSqlType(text: string): SqlType | undefined {
  const [, name = "", inner] = /^([A-Za-z]+)\s*(?:<(.*)>)?$/s.exec(text.trim()) ?? [];
  const family = familyOfName.get(name.toUpperCase());
  if (family === undefined) return undefined;
  const elements = inner === undefined ? [] : splitAtTop(inner).map(parseSqlType);
  const wanted = codecOf(family).arity ?? 0;
  if (elements.length !== wanted) return undefined;
  const known = elements.filter((element) => element !== undefined);
  return known.length === wanted ? { family, elements: known } : undefined;
}

/** Parses a type that the suite itself declares. */
export function parseKnownSqlType(text: string): SqlType {
  const type = parseSqlType(text);
  if (type === undefined) throw new Error(`${text} is not an SQL type`);
  return type;
}

/** Formats a type in a canonical form, for comparison. */
export function formatType({ family, elements }: SqlType): string {
  return elements.length === 0 ? family : `${family}<${elements.map(formatType).join(", ")}>`;
}

/** Normalizes a type in an answer; returns a text that is not a type unchanged. */
export function normalizeSqlType(shown: string): string {
  const type = parseSqlType(shown);
  return type === undefined ? shown : formatType(type);
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

/** A value as it is sent, and its canonical form: a JSON text that is the same for equal values. */
export interface SqlValue {
  /** JSON text for `parameters`. */
  readonly json: string;
  /** `null` for NULL. */
  readonly canonical: string | null;
  /** The type of the value; omitted for a text that is sent unchanged. */
  readonly type?: SqlType;
}

export const sqlNull: SqlValue = { json: "null", canonical: null };

/** Creates a value of a type. */
export function createSqlValue(type: SqlType, json: string): SqlValue {
  const canonical = canonicalText(type, parse(json), "given");
  if (canonical === undefined) throw new Error(`${json} is not a valid ${formatType(type)}`);
  return { json, canonical: orNothing(type, canonical), type };
}

export function createIntValue(number: number): SqlValue {
  return createSqlValue(parseKnownSqlType("INT"), String(number));
}

export function createTextValue(given: string): SqlValue {
  return createSqlValue(parseKnownSqlType("VARCHAR"), JSON.stringify(given));
}

/**
 * Converts the value of a column in an answer to canonical form, to compare it with a {@link SqlValue}. A value that does
 * not belong to the type becomes a text that says so.
 *
 * @param seen JSON parsed by lossless-json
 */
export function toCanonicalValue(type: SqlType, seen: unknown): string | null {
  if (seen === null || seen === undefined) return null;
  const wrong = () => JSON.stringify(`not a valid ${formatType(type)}: ${stringifyJson(seen)}`);
  return orNothing(type, canonicalText(type, seen, "seen") ?? wrong());
}

/** Converts an empty collection to null, because a column need not distinguish it from NULL. */
function orNothing({ elements }: SqlType, canonical: string): string | null {
  return elements.length > 0 && ["[]", "{}"].includes(canonical) ? null : canonical;
}

/** Whether a type is a collection of collections, which a deployment need not support. */
export function isNestedCollection({ elements }: SqlType): boolean {
  return elements.some((element) => element.elements.length > 0);
}

/** Matches the text that {@link toCanonicalValue} returns for a value that does not belong to the type. */
export const wrongTypePattern =
  /^"(?:not a valid [A-Z]+(?:<.*>)?: |not a whole number: |not rounded to 32 bits: )/s;

/** Formats a number without leading and trailing zeros: `15e-1` becomes `1.5`. */
function plainDigits(spelling: string): string {
  const normal = normalizeNumber(spelling);
  const [, minus = "", digits = "", power = "0"] = /^(-?)(\d+)e(-?\d+)$/.exec(normal) ?? [];
  const exponent = Number(power);
  if (digits === "" || Math.abs(exponent) > maxZeros) return normal;
  if (exponent >= 0) return minus + digits + "0".repeat(exponent);
  const padded = digits.padStart(1 - exponent, "0");
  return `${minus}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Numbers with more zeros than this have a power of ten. */
const maxZeros = 100;

function canonicalText({ family, elements }: SqlType, value: unknown, side: Side): string | undefined {
  return codecOf(family).read(value, side, elements);
}

/** Whether a text is a valid date; JavaScript converts 30 February to a date in March. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function wholeNumber(digits: string): string {
  const [mantissa = "", exponent = "0"] = normalizeNumber(digits).split("e");
  return Number(exponent) >= 0
    ? (BigInt(mantissa) * 10n ** BigInt(exponent)).toString()
    : JSON.stringify(`not a whole number: ${digits}`);
}

/** Normalizes a 32-bit number, which may have all digits or only as many as distinguish it from its neighbours. */
function floatText(text: string, side: Side): string {
  const number = Number(text);
  const rounded = Math.fround(number);
  if (side === "given" || number === rounded) return String(rounded + 0);
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(rounded.toPrecision(digits));
    if (Math.fround(short) === rounded && short === number) return String(rounded);
  }
  return JSON.stringify(`not rounded to 32 bits: ${number}`);
}

function items(
  element: SqlType | undefined,
  value: unknown,
  side: Side,
  order = (texts: string[]) => texts,
): string | undefined {
  if (element === undefined || !Array.isArray(value)) return undefined;
  const texts = value.map((item) => canonicalText(element, item, side));
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length ? `[${order(known).join()}]` : undefined;
}

function entries(
  key: SqlType | undefined,
  element: SqlType | undefined,
  value: unknown,
  side: Side,
): string | undefined {
  if (key === undefined || element === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value) || isLosslessNumber(value))
    return undefined;
  const texts: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    // names of members are texts, whatever the type of the key
    const isNumber = ["TINYINT", "SMALLINT", "INT", "BIGINT"].includes(key.family) && /^-?\d+$/.test(name);
    const keyText = canonicalText(key, isNumber ? new LosslessNumber(name) : name, side);
    const memberText = canonicalText(element, member, side);
    if (keyText === undefined || memberText === undefined) return undefined;
    texts.push(`${keyText.startsWith('"') ? keyText : JSON.stringify(keyText)}:${memberText}`);
  }
  return `{${texts.sort().join()}}`;
}

/**
 * Compares two canonical values of a type; negative if the first comes first. The order of texts is the same on every
 * deployment only for lower-case letters and digits; UUIDs and collections have no order.
 */
export function compareValues({ family }: SqlType, a: string, b: string): number {
  return codecOf(family).compare?.(a, b) ?? (a < b ? -1 : a > b ? 1 : 0);
}

function compareDecimals(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => normalizeNumber(text).split("e"));
  const least = Math.min(...[left, right].map((parts) => Number(parts?.[1] ?? 0)));
  const scaled = ([mantissa = "", exponent = "0"]: readonly string[] = []) =>
    BigInt(mantissa) * 10n ** BigInt(Number(exponent) - least);
  return sign(scaled(left) - scaled(right));
}

function sign(number: bigint): number {
  return number < 0n ? -1 : number > 0n ? 1 : 0;
}
