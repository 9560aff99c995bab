import type { ScalarTypeName, SqlType } from "../grammar/syntax.js";
import {
  type Codec,
  compareText,
  describeInput,
  type InputValue,
  InputCollection,
  type StoredValue,
  InvalidValueError,
  maxRowLength,
} from "./codec.js";
import { bigintCodec, decimalCodec, createFloatCodec, createIntegerCodec } from "./number-codecs.js";
import {
  blobCodec,
  booleanCodec,
  dateCodec,
  timeCodec,
  timestampCodec,
  timeuuidCodec,
  uuidCodec,
  varcharCodec,
} from "./text-codecs.js";
import { isJsonArray, isJsonObject, getFieldEntries } from "../../json/json-value.js";
import { parseJson } from "../../json/parse-json.js";

const scalarCodecs: Readonly<Record<ScalarTypeName, Codec>> = {
  VARCHAR: varcharCodec,
  INT: createIntegerCodec("INT", 32),
  BIGINT: bigintCodec,
  SMALLINT: createIntegerCodec("SMALLINT", 16),
  TINYINT: createIntegerCodec("TINYINT", 8),
  FLOAT: createFloatCodec("FLOAT"),
  DOUBLE: createFloatCodec("DOUBLE"),
  DECIMAL: decimalCodec,
  BOOLEAN: booleanCodec,
  DATE: dateCodec,
  TIME: timeCodec,
  TIMESTAMP: timestampCodec,
  BLOB: blobCodec,
  UUID: uuidCodec,
  TIMEUUID: timeuuidCodec,
};

/** Returns the codec of a type. Collections are stored as their canonical JSON text, which responses contain unchanged. */
export function getCodec(type: SqlType): Codec {
  switch (type.kind) {
    case "scalar":
      return scalarCodecs[type.name];
    case "list":
    case "set":
      return createListCodec(getCodec(type.element), type.kind);
    case "map":
      return createMapCodec(getCodec(type.key), getCodec(type.value));
  }
}

/** Maximum nesting of collections. Each level writes the values in it again, and escapes them again in a key of a MAP. */
export const maxCollectionDepth = 4;

/** Returns the nesting of collections in a type: 0 for a scalar. */
export function getCollectionDepth(type: SqlType): number {
  switch (type.kind) {
    case "scalar":
      return 0;
    case "list":
    case "set":
      return 1 + getCollectionDepth(type.element);
    case "map":
      return 1 + Math.max(getCollectionDepth(type.key), getCollectionDepth(type.value));
  }
}

/** LIST: the items in their order. SET: the items without duplicates, in the order of their type. */
function createListCodec(element: Codec, kind: "list" | "set"): Codec {
  return createCollectionCodec(`${kind.toUpperCase()}<${element.type}>`, (given) => {
    const items = encodeItems(element, given, kind);
    if (kind === "set") items.sort((a, b) => element.compare(a, b));
    let length = 0;
    const texts = items.map((item) => {
      const text = element.toJson(item);
      rejectLongText((length += text.length + 1));
      return text;
    });
    return `[${(kind === "set" ? [...new Set(texts)] : texts).join(",")}]`;
  });
}

/** MAP: a JSON object whose fields have the order of the key type. The last of two equal keys counts. */
function createMapCodec(key: Codec, value: Codec): Codec {
  return createCollectionCodec(`MAP<${key.type}, ${value.type}>`, (given) => {
    const entries = new Map<string, { readonly key: StoredValue; readonly text: string }>();
    let length = 0;
    for (const [givenKey, givenValue] of toInputEntries(key, given)) {
      const encodedKey = encodeItem(key, givenKey, "a key");
      const name = formatKey(key, encodedKey);
      rejectLongText((length += name.length));
      const text = `${name}:${value.toJson(encodeItem(value, givenValue, "a value"))}`;
      rejectLongText((length += text.length + 1));
      entries.set(name, { key: encodedKey, text });
    }
    const sorted = [...entries.values()].sort((a, b) => key.compare(a.key, b.key));
    return `{${sorted.map(({ text }) => text).join(",")}}`;
  });
}

/** @param encode returns the canonical JSON text of a collection */
function createCollectionCodec(type: string, encode: (given: InputValue) => string): Codec {
  return {
    type,
    affinity: "TEXT",
    isScalar: false,
    encode,
    toJson: String,
    fromName: parse,
    // Collections have no natural order.
    compare: compareText,
  };
}

/** Limits the length, because a DECIMAL such as `1e300` is written with all its digits. */
function rejectLongText(length: number): void {
  if (length > maxRowLength)
    throw new InvalidValueError(
      `has more than ${maxRowLength} characters when its numbers are written without exponents`,
    );
}

function toInputEntries(key: Codec, given: InputValue): (readonly [InputValue, InputValue])[] {
  if (given instanceof InputCollection) {
    if (given.kind === "map") return given.entries.map((entry) => [entry.key, entry.value]);
    // The parser reads `{}` as an empty set.
    if (given.kind === "set" && given.entries.length === 0) return [];
  } else if (!(given instanceof Uint8Array) && isJsonObject(given)) {
    return [...getFieldEntries(given)].map(([name, member]) => {
      try {
        return [key.fromName(name), member];
      } catch (error) {
        throw prefixError(error, `a key, ${describeInput(name)},`);
      }
    });
  }
  throw new InvalidValueError("is not an object");
}

function encodeItems(element: Codec, given: InputValue, kind: "list" | "set"): StoredValue[] {
  if (given instanceof InputCollection && given.kind === kind)
    return given.entries.map((entry) => encodeItem(element, entry.value, "an item"));
  if (!(given instanceof Uint8Array) && !(given instanceof InputCollection) && isJsonArray(given))
    return given.map((item) => encodeItem(element, item, "an item"));
  throw new InvalidValueError("is not an array");
}

function encodeItem(codec: Codec, given: InputValue, role: string): StoredValue {
  if (given === null) throw new InvalidValueError(`has ${role} that is null`);
  try {
    return codec.encode(given);
  } catch (error) {
    throw prefixError(error, `${role}, ${describeInput(given)},`);
  }
}

function prefixError(error: unknown, subject: string): unknown {
  return error instanceof InvalidValueError
    ? new InvalidValueError(`has ${subject} that ${error.message}`)
    : error;
}

/** Returns the JSON text of the field name of a key: text as it is, other values as their JSON text. */
function formatKey(key: Codec, encoded: StoredValue): string {
  const json = key.toJson(encoded);
  return json.startsWith('"') ? json : JSON.stringify(json);
}

function parse(json: string) {
  try {
    return parseJson(json, { maxDepth: 100 });
  } catch {
    throw new InvalidValueError("is not JSON");
  }
}
