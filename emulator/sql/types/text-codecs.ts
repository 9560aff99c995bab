import { compareUtf8 } from "../../json/utf8-order.js";
import { type Codec, type Given, type Stored, ValueRefusal } from "./codec.js";
import { describeGiven } from "./describe-given.js";
import { canonicalDate, canonicalTime, canonicalTimestamp } from "./temporal.js";

/** VARCHAR: any text, ordered by its UTF-8 bytes. */
export const varcharCodec: Codec = textCodec("VARCHAR", {
  encode: (text) => text,
  compare: (a, b) => compareUtf8(a as string, b as string),
});

export const dateCodec: Codec = textCodec("DATE", { encode: canonicalDate });
export const timeCodec: Codec = textCodec("TIME", { encode: canonicalTime });
export const timestampCodec: Codec = textCodec("TIMESTAMP", {
  encode: canonicalTimestamp,
  toJson: (stored) => `"${stored as string}Z"`,
});

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUID: lower-case, ordered by its bytes. */
export const uuidCodec: Codec = textCodec("UUID", { encode: canonicalUuid });

/**
 * TIMEUUID: a UUID of version 1, ordered by its time, then by its bytes. The stored form leads with the time:
 * high, middle and low part, then clock and node.
 */
export const timeuuidCodec: Codec = textCodec("TIMEUUID", {
  encode(text) {
    const uuid = canonicalUuid(text);
    if (uuid.charAt(14) !== "1") throw new ValueRefusal("is no TIMEUUID: a UUID of version 1 is wanted");
    return `${uuid.slice(15, 18)}-${uuid.slice(9, 13)}-${uuid.slice(0, 8)}-${uuid.slice(19)}`;
  },
  toJson: (stored) => {
    const form = stored as string;
    return `"${form.slice(9, 17)}-${form.slice(4, 8)}-1${form.slice(0, 3)}-${form.slice(18)}"`;
  },
});

/** BOOLEAN: false comes before true. */
export const booleanCodec: Codec = {
  type: "BOOLEAN",
  affinity: "INTEGER",
  scalar: true,
  encode(given) {
    if (typeof given !== "boolean")
      throw new ValueRefusal(`is no BOOLEAN: true or false is wanted, not ${describeGiven(given)}`);
    return given ? 1 : 0;
  },
  toJson: (stored) => (stored === 1 ? "true" : "false"),
  fromName(name) {
    if (name !== "true" && name !== "false") throw new ValueRefusal("is not true or false");
    return name === "true";
  },
  compare: (a, b) => (a as number) - (b as number),
  read: (column) => column,
  width: 1,
};

/** BLOB: base64 with padding in JSON, `X'00ff'` or base64 text in a statement, ordered by its bytes. */
export const blobCodec: Codec = {
  type: "BLOB",
  affinity: "BLOB",
  scalar: true,
  encode(given) {
    if (given instanceof Uint8Array) return given;
    const text = wantText(given, "BLOB");
    const bytes = Buffer.from(text, "base64");
    if (bytes.toString("base64") !== text)
      throw new ValueRefusal("is no BLOB: base64 with padding is wanted");
    return bytes;
  },
  toJson: (stored) => `"${Buffer.from(stored as Uint8Array).toString("base64")}"`,
  fromName: (name) => name,
  compare: (a, b) => Buffer.compare(a as Uint8Array, b as Uint8Array),
  read: (column) => column,
};

function textCodec(
  type: string,
  rules: Partial<Pick<Codec, "toJson" | "compare">> & { readonly encode: (text: string) => string },
): Codec {
  return {
    type,
    affinity: "TEXT",
    scalar: true,
    toJson: JSON.stringify,
    fromName: (name) => name,
    compare: (a: Stored, b: Stored) => (a < b ? -1 : a > b ? 1 : 0),
    read: (column) => column,
    ...rules,
    encode: (given) => rules.encode(wantText(given, type)),
  };
}

function wantText(given: Given, type: string): string {
  if (typeof given === "string") return given;
  throw new ValueRefusal(`is no ${type}: a text is wanted, not ${describeGiven(given)}`);
}

function canonicalUuid(text: string): string {
  const lower = text.toLowerCase();
  if (!uuidForm.test(lower)) throw new ValueRefusal("is no UUID: 8-4-4-4-12 hexadecimal digits are wanted");
  return lower;
}
