import { compareUtf8 } from "../../json/utf8-order.js";
import { isCalendarDate } from "../../time/parse-timestamp.js";
import { type Codec, compareText, type InputValue, InvalidValueError } from "./codec.js";

/** VARCHAR: any text, ordered by its UTF-8 bytes. */
export const varcharCodec: Codec = createTextCodec("VARCHAR", {
  encode: (text) => text,
  compare: (a, b) => compareUtf8(a as string, b as string),
});

export const dateCodec: Codec = createTextCodec("DATE", { encode: canonicalizeDate });
export const timeCodec: Codec = createTextCodec("TIME", { encode: canonicalizeTime });
export const timestampCodec: Codec = createTextCodec("TIMESTAMP", {
  encode: canonicalizeTimestamp,
  toJson: (stored) => `"${stored as string}Z"`,
});

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUID: lower-case, ordered by its bytes. */
export const uuidCodec: Codec = createTextCodec("UUID", { encode: canonicalizeUuid });

/**
 * TIMEUUID: a UUID of version 1, ordered by its time, then by its bytes. The stored form begins with the time: its high,
 * middle and low part.
 */
export const timeuuidCodec: Codec = createTextCodec("TIMEUUID", {
  encode(text) {
    const uuid = canonicalizeUuid(text);
    if (uuid.charAt(14) !== "1") throw new InvalidValueError("is not a version 1 UUID");
    return `${uuid.slice(15, 18)}-${uuid.slice(9, 13)}-${uuid.slice(0, 8)}-${uuid.slice(19)}`;
  },
  toJson: (stored) => {
    const text = stored as string;
    return `"${text.slice(9, 17)}-${text.slice(4, 8)}-1${text.slice(0, 3)}-${text.slice(18)}"`;
  },
});

/** BOOLEAN: false sorts before true. */
export const booleanCodec: Codec = {
  type: "BOOLEAN",
  affinity: "INTEGER",
  isScalar: true,
  encode(given) {
    if (typeof given !== "boolean") throw new InvalidValueError("is neither true nor false");
    return given ? 1 : 0;
  },
  toJson: (stored) => (stored === 1 ? "true" : "false"),
  fromName(name) {
    if (name !== "true" && name !== "false") throw new InvalidValueError("is neither true nor false");
    return name === "true";
  },
  compare: (a, b) => (a as number) - (b as number),
  width: 1,
};

/** BLOB: base64 with padding in JSON, `X'00ff'` or base64 text in a statement, ordered by its bytes. */
export const blobCodec: Codec = {
  type: "BLOB",
  affinity: "BLOB",
  isScalar: true,
  encode(given) {
    if (given instanceof Uint8Array) return given;
    const text = requireText(given);
    const bytes = Buffer.from(text, "base64");
    if (bytes.toString("base64") !== text) throw new InvalidValueError("is not base64 with padding");
    return bytes;
  },
  toJson: (stored) => `"${Buffer.from(stored as Uint8Array).toString("base64")}"`,
  fromName: (name) => name,
  compare: (a, b) => Buffer.compare(a as Uint8Array, b as Uint8Array),
};

function createTextCodec(
  type: string,
  rules: Partial<Pick<Codec, "toJson" | "compare">> & { readonly encode: (text: string) => string },
): Codec {
  return {
    type,
    affinity: "TEXT",
    isScalar: true,
    toJson: JSON.stringify,
    fromName: (name) => name,
    compare: compareText,
    ...rules,
    encode: (given) => rules.encode(requireText(given)),
  };
}

function requireText(given: InputValue): string {
  if (typeof given === "string") return given;
  throw new InvalidValueError("is not a string");
}

function canonicalizeUuid(text: string): string {
  const lower = text.toLowerCase();
  if (!uuidPattern.test(lower))
    throw new InvalidValueError("is not a UUID with 8-4-4-4-12 hexadecimal digits");
  return lower;
}

const datePattern = /^\d{4}-\d\d-\d\d$/;
const timePattern = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;
const timestampPattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?(Z|[+-]\d\d:\d\d)?$/i;

/** A DATE: `YYYY-MM-DD`, years 0001 to 9999, only days in the calendar. */
function canonicalizeDate(text: string): string {
  if (!datePattern.test(text)) refuse("is not a DATE in the form YYYY-MM-DD");
  if (text.startsWith("0000") || !isCalendarDate(text)) refuse("is not a valid calendar date");
  return text;
}

/** A TIME: `HH:MM:SS` with a fraction of up to nine digits, without trailing zeros. */
function canonicalizeTime(text: string): string {
  const [, hour, minute, second, fraction = ""] =
    timePattern.exec(text) ?? refuse("is not a TIME in the form HH:MM:SS with an optional fraction");
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) refuse("is not a time of day");
  const digits = fraction.replace(/0+$/, "");
  return text.slice(0, 8) + (digits === "" ? "" : `.${digits}`);
}

/**
 * A TIMESTAMP in UTC without `Z`, with at least three digits of fraction: `2030-01-01T00:00:00.000`. Its byte order is the
 * order in time. The input is ISO 8601 with `T` or a space, optional seconds and any offset; the default is UTC.
 */
function canonicalizeTimestamp(text: string): string {
  const [, date = "", minutes = "", seconds = "00", zone = "Z"] =
    timestampPattern.exec(text) ??
    refuse("is not a TIMESTAMP in ISO 8601 format, such as 2030-01-31T12:00:00Z");
  canonicalizeDate(date);
  const [clock = "", fraction = ""] = canonicalizeTime(`${minutes}:${seconds}`).split(".");
  const tail = `${clock.slice(5)}.${fraction.padEnd(3, "0")}`;
  if (/^z$/i.test(zone)) return `${date}T${clock.slice(0, 5)}${tail}`;
  const ahead = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  if (Number(zone.slice(4, 6)) > 59 || ahead > 18 * 60) refuse("has an invalid UTC offset");
  const offset = (zone.startsWith("-") ? -ahead : ahead) * 60_000;
  const utc = new Date(Date.parse(`${date}T${clock.slice(0, 5)}:00Z`) - offset).toISOString();
  if (!/^(?!0000)\d{4}-/.test(utc)) refuse("is outside the years 0001 to 9999 in UTC");
  return utc.slice(0, 16) + tail;
}

function refuse(why: string): never {
  throw new InvalidValueError(why);
}
