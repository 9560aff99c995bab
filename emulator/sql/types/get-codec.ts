import type { Profile } from "../../../openapi/gaps/profile.js";
import type { ScalarTypeName, SqlType } from "../grammar/syntax.js";
import {
  type Codec,
  describeInput,
  type InputValue,
  InputCollection,
  type ScalarCodec,
  type StoredValue,
  InvalidValueError,
  maxRowLength,
} from "./codec.js";
import {
  bigintCodec,
  decimalCodec,
  createFloatCodec,
  createIntegerCodec,
  withNumbersAsJsonStrings,
} from "./number-codecs.js";
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

const scalarCodecs: Readonly<Record<ScalarTypeName, ScalarCodec>> = {
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
  if (type.kind === "scalar") return scalarCodecs[type.name];
  const codec = getValueCodec(type);
  return {
    type: codec.type,
    affinity: "TEXT",
    isScalar: false,
    encode: (given) => codec.toJson(codec.encode(given)),
    toJson: String,
  };
}

/** Returns the codec of a column (gap `sql-number-form`). Inside collections, numbers are always numbers. */
export function getColumnCodec(type: SqlType, profile: Profile): Codec {
  const isLong = type.kind === "scalar" && (type.name === "BIGINT" || type.name === "DECIMAL");
  return isLong && profile["sql-number-form"] === "string"
    ? withNumbersAsJsonStrings(scalarCodecs[type.name])
    : getCodec(type);
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

/** A value in a collection: the stored form of a scalar, the items of a LIST or SET, or the entries of a MAP. */
type EncodedValue = StoredValue | readonly EncodedValue[] | readonly EncodedEntry[];

interface EncodedEntry {
  /** The JSON text of the field name. */
  readonly name: string;
  readonly key: EncodedValue;
  readonly value: EncodedValue;
}

/** The codec of a value in a collection. */
interface ValueCodec extends Pick<ScalarCodec, "type" | "fromName"> {
  encode(given: InputValue): EncodedValue;
  toJson(encoded: EncodedValue): string;
  compare(a: EncodedValue, b: EncodedValue): number;
}

function getValueCodec(type: SqlType): ValueCodec {
  switch (type.kind) {
    case "scalar":
      return scalarCodecs[type.name];
    case "list":
      return createListCodec(getValueCodec(type.element));
    case "set":
      return createSetCodec(getValueCodec(type.element));
    case "map":
      return createMapCodec(getValueCodec(type.key), getValueCodec(type.value));
  }
}

/** LIST: the items in their order. */
function createListCodec(element: ValueCodec): ValueCodec {
  return {
    type: `LIST<${element.type}>`,
    ...createItemsCodec(element),
    encode: (given) => encodeItems(element, given, "list"),
  };
}

/** SET: the items without duplicates, in the order of their type. */
function createSetCodec(element: ValueCodec): ValueCodec {
  return {
    type: `SET<${element.type}>`,
    ...createItemsCodec(element),
    encode(given) {
      const sorted = encodeItems(element, given, "set").sort((a, b) => element.compare(a, b));
      return sorted.filter((item, index) => {
        const before = sorted[index - 1];
        return before === undefined || element.compare(before, item) !== 0;
      });
    },
  };
}

/** The common properties of LIST and SET. */
function createItemsCodec(element: ValueCodec): Pick<ValueCodec, "toJson" | "fromName" | "compare"> {
  return {
    toJson: (encoded) => `[${joinTexts(toItems(encoded), (item) => element.toJson(item))}]`,
    fromName: parse,
    compare: (a, b) => compareEach(toItems(a), toItems(b), (item, other) => element.compare(item, other)),
  };
}

/** MAP: a JSON object whose fields have the order of the key type. The last of two equal keys counts. */
function createMapCodec(key: ValueCodec, value: ValueCodec): ValueCodec {
  return {
    type: `MAP<${key.type}, ${value.type}>`,
    encode(given) {
      const entries = new Map<string, EncodedEntry>();
      let length = 0;
      for (const [givenKey, givenValue] of toInputEntries(key, given)) {
        const encodedKey = encodeItem(key, givenKey, "a key");
        const name = formatKey(key, encodedKey);
        rejectLongText((length += name.length));
        entries.set(name, { name, key: encodedKey, value: encodeItem(value, givenValue, "a value") });
      }
      return [...entries.values()].sort((a, b) => key.compare(a.key, b.key));
    },
    toJson: (encoded) =>
      `{${joinTexts(toEntries(encoded), (entry) => `${entry.name}:${value.toJson(entry.value)}`)}}`,
    fromName: parse,
    compare: (a, b) =>
      compareEach(
        toEntries(a),
        toEntries(b),
        (entry, other) => key.compare(entry.key, other.key) || value.compare(entry.value, other.value),
      ),
  };
}

function toItems(encoded: EncodedValue): readonly EncodedValue[] {
  return encoded as readonly EncodedValue[];
}

function toEntries(encoded: EncodedValue): readonly EncodedEntry[] {
  return encoded as readonly EncodedEntry[];
}

function joinTexts<Item>(items: readonly Item[], toText: (item: Item) => string): string {
  let length = 0;
  const texts = items.map((item) => {
    const text = toText(item);
    rejectLongText((length += text.length + 1));
    return text;
  });
  return texts.join(",");
}

/** Limits the length, because a DECIMAL such as `1e300` is written with all its digits. */
function rejectLongText(length: number): void {
  if (length > maxRowLength)
    throw new InvalidValueError(
      `has more than ${maxRowLength} characters when its numbers are written without exponents`,
    );
}

/** Orders by the first difference. A prefix comes first. */
function compareEach<Item>(
  left: readonly Item[],
  right: readonly Item[],
  compare: (a: Item, b: Item) => number,
): number {
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compare(item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function toInputEntries(key: ValueCodec, given: InputValue): (readonly [InputValue, InputValue])[] {
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

function encodeItems(element: ValueCodec, given: InputValue, kind: "list" | "set"): EncodedValue[] {
  if (given instanceof InputCollection && given.kind === kind)
    return given.entries.map((entry) => encodeItem(element, entry.value, "an item"));
  if (!(given instanceof Uint8Array) && !(given instanceof InputCollection) && isJsonArray(given))
    return given.map((item) => encodeItem(element, item, "an item"));
  throw new InvalidValueError("is not an array");
}

function encodeItem(codec: ValueCodec, given: InputValue, role: string): EncodedValue {
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
function formatKey(key: ValueCodec, encoded: EncodedValue): string {
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
