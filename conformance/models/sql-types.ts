import { isLosslessNumber, LosslessNumber, parse } from "lossless-json";
import { tryTo } from "../../openapi/text/try-to.js";
import { isJsonObject, normalizeNumber, stringifyJson, stripTrailingZeros } from "../client/json-text.js";

type Side = "sent" | "received";

/** How values of a type are read and compared. */
interface Codec {
  readonly aliases?: readonly string[];
  /** Number of element types. Defaults to 0. */
  readonly arity?: number;
  /** Converts a value to its canonical form, a JSON text; undefined if the value does not belong to the type. */
  readonly read: (value: unknown, side: Side, elements: readonly SqlType[]) => string | undefined;
  /** Compares two canonical values. Defaults to the order of texts. */
  readonly compare?: (a: string, b: string) => number;
}

const readText =
  (convert: (text: string) => string | undefined): Codec["read"] =>
  (value) => {
    const text = typeof value === "string" ? convert(value) : undefined;
    return text === undefined ? undefined : JSON.stringify(text);
  };

const readNumber =
  (convert: (digits: string, side: Side) => string | undefined): Codec["read"] =>
  (value, side) =>
    isLosslessNumber(value) ? convert(value.value, side) : undefined;

/** Reads exact numbers, which may be returned as numbers or as strings. */
const readExactNumber =
  (convert: (digits: string) => string | undefined): Codec["read"] =>
  (value) => {
    if (isLosslessNumber(value)) return convert(value.value);
    const isNumber = typeof value === "string" && /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(value);
    return isNumber ? convert(value) : undefined;
  };

const compare = compareNumbers;
const smallInteger = { read: readNumber(toInteger), compare } as const;
const uuid = {
  read: readText((text) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  ),
} as const;

/** The types of part 2. */
const codecs = {
  VARCHAR: { aliases: ["TEXT", "STRING"], read: readText((text) => text) },
  TINYINT: { aliases: ["BYTE"], ...smallInteger },
  SMALLINT: { aliases: ["SHORT"], ...smallInteger },
  INT: { aliases: ["INTEGER"], ...smallInteger },
  BIGINT: { aliases: ["LONG"], read: readExactNumber(toInteger), compare },
  FLOAT: { aliases: ["REAL"], read: readNumber(toFloat), compare },
  DOUBLE: { read: readNumber((digits) => String(Number(digits) + 0)), compare },
  DECIMAL: { aliases: ["NUMERIC"], read: readExactNumber(toPlainDigits), compare },
  BOOLEAN: {
    aliases: ["BOOL"],
    read: (value) => (typeof value === "boolean" ? String(value) : undefined),
  },
  DATE: {
    // A date may be shown as its first moment.
    read: readText((text) => {
      const date = text.replace(/[T ]00:00(:00(\.0+)?)?(Z|\+00:?00)?$/, "");
      return isDate(date) ? date : undefined;
    }),
  },
  TIME: {
    read: readText((text) => {
      const [, clock, fraction = ""] = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?$/.exec(text) ?? [];
      const digits = stripTrailingZeros(fraction);
      return clock === undefined || digits === "" ? clock : `${clock}.${digits}`;
    }),
  },
  TIMESTAMP: {
    aliases: ["DATETIME"],
    read: readText((text) => {
      const isUtc = /^.{10}T[\d:.]+(Z|[+-]00:?00)$/.test(text) && isDate(text.slice(0, 10));
      const instant = isUtc ? Date.parse(text) : NaN;
      return Number.isNaN(instant) ? undefined : new Date(instant).toISOString();
    }),
  },
  BLOB: {
    aliases: ["BINARY"],
    read: readText((text) =>
      /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, "base64").toString("base64") : undefined,
    ),
  },
  UUID: { aliases: ["GUID"], ...uuid },
  TIMEUUID: uuid,
  LIST: { arity: 1, read: (...given) => formatList(readElements(...given)) },
  SET: {
    arity: 1,
    read: (value, side, elements) => {
      const texts = readElements(value, side, elements)?.sort();
      // A set in a response must not contain duplicates.
      return formatList(side === "sent" ? texts && [...new Set(texts)] : texts);
    },
  },
  MAP: { arity: 2, read: readEntries },
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

function getCodec(family: SqlTypeFamily): Codec {
  return codecs[family];
}

/** Returns all names of a type. */
export function getSqlTypeNames(family: SqlTypeFamily): readonly string[] {
  return [family, ...(getCodec(family).aliases ?? [])];
}

const familyByName = new Map(
  sqlTypeFamilies.flatMap((family) =>
    getSqlTypeNames(family).map((name): [string, SqlTypeFamily] => [name, family]),
  ),
);

/**
 * Parses the name of a type, in any case and spacing. The keys of a MAP must not be collections.
 *
 * @throws Error if it is not a type
 */
export function parseSqlType(text: string): SqlType {
  const [, name = "", inner] = /^([A-Za-z]+)\s*(?:<(.*)>)?$/s.exec(text.trim()) ?? [];
  const family = familyByName.get(name.toUpperCase());
  const arity = family && (getCodec(family).arity ?? 0);
  const parts = inner === undefined ? [] : arity === 2 ? inner.split(/,(.*)/s, 2) : [inner];
  if (family === undefined || parts.length !== arity) throw new Error(`${text} is not an SQL type`);
  return { family, elements: parts.map(parseSqlType) };
}

function formatType({ family, elements }: SqlType): string {
  return elements.length === 0 ? family : `${family}<${elements.map(formatType).join(", ")}>`;
}

/** Longer texts are not parsed as types, because that takes the square of their length. */
const maxTypeLength = 1000;

/** Normalizes the name of a type without lengths, for comparison; returns a text that is not a type unchanged. */
export function normalizeSqlType(text: string): string {
  if (text.length > maxTypeLength) return text;
  return tryTo(() => formatType(parseSqlType(text.replace(/\([\w\s,]+\)/g, "")))) ?? text;
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

/**
 * Creates a value of a type.
 *
 * @throws TypeError if the JSON text is not a value of the type
 */
export function createSqlValue(type: SqlType, json: string): SqlValue {
  return { json, canonical: nullIfEmpty(type, toCanonicalText(type, parse(json), "sent")), type };
}

/** A value in short form: a number for INT, a string for VARCHAR, null for NULL. */
export type SqlLiteral = number | string | null | SqlValue;

/** Converts a value in short form. */
export function toSqlValue(value: SqlLiteral): SqlValue {
  if (typeof value === "number") return createSqlValue({ family: "INT", elements: [] }, String(value));
  if (typeof value === "string")
    return createSqlValue({ family: "VARCHAR", elements: [] }, JSON.stringify(value));
  return value ?? sqlNull;
}

/**
 * Converts the value of a column in a response to canonical form, to compare it with a {@link SqlValue}. A value that does
 * not belong to the type becomes a text that says so.
 *
 * @param value JSON parsed by lossless-json
 */
export function toCanonicalValue(type: SqlType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  try {
    return nullIfEmpty(type, toCanonicalText(type, value, "received"));
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(error.message);
    throw error;
  }
}

/** Whether {@link toCanonicalValue} returned this text for a value that belongs to its type. */
export function isValidCanonicalValue(canonical: string): boolean {
  return !canonical.startsWith('"not a valid ');
}

/** Converts an empty collection to null, because a column need not distinguish it from NULL. */
function nullIfEmpty({ elements }: SqlType, canonical: string): string | null {
  return elements.length > 0 && ["[]", "{}"].includes(canonical) ? null : canonical;
}

/** Formats a number without leading and trailing zeros: `15e-1` becomes `1.5`. */
export function toPlainDigits(spelling: string): string {
  const normal = normalizeNumber(spelling);
  const [, minus = "", digits = "", power = "0"] = /^(-?)(\d+)e(-?\d+)$/.exec(normal) ?? [];
  const exponent = Number(power);
  if (digits === "" || Math.abs(exponent) > maxZeros) return normal;
  if (exponent >= 0) return minus + digits + "0".repeat(exponent);
  const padded = digits.padStart(1 - exponent, "0");
  return `${minus}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Maximum number of zeros; numbers with more are formatted with a power of ten. */
const maxZeros = 100;

function toCanonicalText(type: SqlType, value: unknown, side: Side): string {
  const text = getCodec(type.family).read(value, side, type.elements);
  if (text === undefined) throw new TypeError(`not a valid ${formatType(type)}: ${stringifyJson(value)}`);
  return text;
}

/** Whether a text is a valid date; `Date.parse` accepts 30 February. */
function isDate(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

function toInteger(digits: string): string | undefined {
  const [mantissa = "", exponent = "0"] = normalizeNumber(digits).split("e");
  return Number(exponent) >= 0 ? (BigInt(mantissa) * 10n ** BigInt(exponent)).toString() : undefined;
}

/** Normalizes a 32-bit number, which may have all digits or only as many as distinguish it from its neighbors. */
function toFloat(text: string, side: Side): string | undefined {
  const number = Number(text);
  const rounded = Math.fround(number);
  const isRounded = Array.from({ length: 9 }, (_, n) => Number(rounded.toPrecision(n + 1))).some(
    (short) => short === number && Math.fround(short) === rounded,
  );
  return side === "sent" || number === rounded || isRounded ? String(rounded + 0) : undefined;
}

function readElements(value: unknown, side: Side, [element]: readonly SqlType[]): string[] | undefined {
  if (element === undefined || !Array.isArray(value)) return undefined;
  return value.map((item) => toCanonicalText(element, item, side));
}

function formatList(texts: readonly string[] | undefined): string | undefined {
  return texts && `[${texts.join()}]`;
}

function readEntries(value: unknown, side: Side, [key, element]: readonly SqlType[]): string | undefined {
  if (key === undefined || element === undefined || !isJsonObject(value)) return undefined;
  const texts = Object.entries(value).map(([name, member]) => {
    const keyText = toCanonicalText(key, toMapKey(key, name), side);
    const fieldName = keyText.startsWith('"') ? keyText : JSON.stringify(keyText);
    return `${fieldName}:${toCanonicalText(element, member, side)}`;
  });
  return `{${texts.sort().join()}}`;
}

/** Converts a field name to a key of a MAP: field names are strings, even if the keys are numbers. */
export function toMapKey({ family }: SqlType, name: string): unknown {
  const mayBeNumber = ["TINYINT", "SMALLINT", "INT", "BIGINT", "DATE", "TIME"].includes(family);
  return mayBeNumber && /^-?\d+$/.test(name) ? new LosslessNumber(name) : name;
}

/**
 * Compares two canonical values of a type; negative if the first comes first. The order of texts is the same on every
 * deployment only for lower-case letters and digits; UUIDs and collections have no order.
 */
export function compareValues({ family }: SqlType, a: string, b: string): number {
  return getCodec(family).compare?.(a, b) ?? (a < b ? -1 : Number(a > b));
}

/** Compares numbers exactly; they may have more digits than a double. */
function compareNumbers(a: string, b: string): number {
  const parts = [a, b].map((text) => normalizeNumber(text).split("e"));
  const least = Math.min(...parts.map(([, exponent = "0"]) => Number(exponent)));
  const [left = 0n, right = 0n] = parts.map(
    ([mantissa = "0", exponent = "0"]) => BigInt(mantissa) * 10n ** BigInt(Number(exponent) - least),
  );
  return left < right ? -1 : Number(left > right);
}
