import type { Profile } from "../../../openapi/gaps/profile.js";
import type { ScalarTypeName, SqlType } from "../grammar/syntax.js";
import {
  type Codec,
  type InputValue,
  InputCollection,
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
import { describeInput } from "./describe-input.js";

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

export function getCodec(type: SqlType): Codec {
  return type.kind === "scalar" ? scalarCodecs[type.name] : createCollectionCodec(getValueCodec(type));
}

/** The codec of a column of this type (gap `sql-number-form`). Inside collections, numbers are always numbers. */
export function getColumnCodec(type: SqlType, profile: Profile): Codec {
  const codec = getCodec(type);
  const isLong = type.kind === "scalar" && (type.name === "BIGINT" || type.name === "DECIMAL");
  return isLong && profile["sql-number-form"] === "string" ? withNumbersAsJsonStrings(codec) : codec;
}

/** Levels of collections in a type: each writes the values below it again, and a key of a MAP with more escapes. */
export const maxCollectionDepth = 4;

/** How many collections of a type contain each other: 0 for a scalar. */
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

/**
 * A value within a collection: a scalar in its stored form, the values of a LIST or SET, or the entries of a MAP, each
 * encoded once however often it is compared.
 */
type EncodedValue = StoredValue | readonly EncodedValue[] | readonly EncodedEntry[];

interface EncodedEntry {
  /** The JSON text of the field name. */
  readonly name: string;
  readonly key: EncodedValue;
  readonly value: EncodedValue;
}

/** The codec of a value within a collection: of a scalar, the codec of its columns. */
interface ValueCodec extends Pick<Codec, "type" | "fromName"> {
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

/** MAP: an object in JSON, its members in the order of the key type. Of two equal keys the last counts. */
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

/** Collections are stored as their canonical JSON text, which answers carry as it is. */
function createCollectionCodec(codec: ValueCodec): Codec {
  return {
    type: codec.type,
    affinity: "TEXT",
    scalar: false,
    encode: (given) => codec.toJson(codec.encode(given)),
    toJson: String,
    fromName: parse,
    compare: (a, b) => codec.compare(codec.encode(parse(a)), codec.encode(parse(b))),
    read: (column) => column,
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

/** A DECIMAL that is given as `1e300` is written with all its digits. A longer value could not be read. */
function rejectLongText(length: number): void {
  if (length > maxRowLength)
    throw new InvalidValueError(
      `has more than ${maxRowLength} characters when its numbers are written without exponents`,
    );
}

/** Orders by the first difference; the beginning of a collection sorts before the whole of it. */
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
    // `{}` is read as an empty set
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

/** The member name of a key: text as it is, anything else by its JSON text. */
function formatKey(key: ValueCodec, encoded: EncodedValue): string {
  const json = key.toJson(encoded);
  return json.startsWith('"') ? json : JSON.stringify(json);
}

function parse(stored: StoredValue) {
  try {
    return parseJson(stored as string, { maxDepth: 100 });
  } catch {
    throw new InvalidValueError("is not JSON");
  }
}
