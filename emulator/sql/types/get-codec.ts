import type { ScalarTypeName, SqlType } from "../grammar/syntax.js";
import {
  type Codec,
  type InputValue,
  InputCollection,
  type StoredValue,
  InvalidValueError,
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
  switch (type.kind) {
    case "scalar":
      return scalarCodecs[type.name];
    case "list":
      return createListCodec(getCodec(type.element));
    case "set":
      return createSetCodec(getCodec(type.element));
    case "map":
      return createMapCodec(getCodec(type.key), getCodec(type.value));
  }
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

interface CollectionCodec extends Codec {
  /** Orders two stored values that are parsed already. */
  compareParsed(a: InputValue, b: InputValue): number;
}

type Rules = Pick<CollectionCodec, "type" | "encode" | "compareParsed">;

/** LIST: the items in their order. */
function createListCodec(element: Codec): Codec {
  return createCollectionCodec({
    type: `LIST<${element.type}>`,
    encode: (given) => writeArray(element, encodeItems(element, given, "list")),
    compareParsed: (a, b) => compareItems(element, a, b),
  });
}

/** SET: the items without duplicates, in the order of their type. */
function createSetCodec(element: Codec): Codec {
  return createCollectionCodec({
    type: `SET<${element.type}>`,
    encode(given) {
      const sorted = sortBy(element, encodeItems(element, given, "set"), (item) => item);
      // equal values have equal stored forms
      const texts = sorted.map((item) => element.toJson(item));
      return `[${texts.filter((text, index) => text !== texts[index - 1]).join(",")}]`;
    },
    compareParsed: (a, b) => compareItems(element, a, b),
  });
}

/** MAP: an object in JSON, its members in the order of the key type. Of two equal keys the last counts. */
function createMapCodec(key: Codec, value: Codec): Codec {
  const entriesOf = (given: InputValue): [StoredValue, StoredValue][] => {
    const encoded = new Map<string, [StoredValue, StoredValue]>();
    for (const [givenKey, givenValue] of toInputEntries(key, given)) {
      const storedKey = encodeItem(key, givenKey, "a key");
      encoded.set(formatKey(key, storedKey), [storedKey, encodeItem(value, givenValue, "a value")]);
    }
    return sortBy(key, [...encoded.values()], ([storedKey]) => storedKey);
  };
  return createCollectionCodec({
    type: `MAP<${key.type}, ${value.type}>`,
    encode: (given) => {
      const members = entriesOf(given).map(
        ([name, member]) => `${formatKey(key, name)}:${value.toJson(member)}`,
      );
      return `{${members.join(",")}}`;
    },
    compareParsed: (a, b) => {
      const [left, right] = [toInputEntries(key, a), toInputEntries(key, b)];
      for (const [index, [leftKey, leftValue]] of left.entries()) {
        const [rightKey, rightValue] = right[index] ?? [];
        if (rightKey === undefined || rightValue === undefined) return 1;
        const order = compareParsed(key, leftKey, rightKey) || compareParsed(value, leftValue, rightValue);
        if (order !== 0) return order;
      }
      return left.length - right.length;
    },
  });
}

/** Collections are stored as their canonical JSON text, which answers carry as it is. */
function createCollectionCodec(rules: Rules): CollectionCodec {
  return {
    ...rules,
    compare: (a, b) => rules.compareParsed(parse(a), parse(b)),
    affinity: "TEXT",
    scalar: false,
    toJson: String,
    fromName: parse,
    read: (column) => column,
  };
}

function toInputEntries(key: Codec, given: InputValue): (readonly [InputValue, InputValue])[] {
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

function writeArray(element: Codec, items: readonly StoredValue[]): string {
  return `[${items.map((item) => element.toJson(item)).join(",")}]`;
}

/** Sorts by the stored values, each parsed once however often it is compared. */
function sortBy<Item>(codec: Codec, items: readonly Item[], getStored: (item: Item) => StoredValue): Item[] {
  if (!isCollection(codec)) return [...items].sort((a, b) => codec.compare(getStored(a), getStored(b)));
  return items
    .map((item) => ({ item, parsed: parse(getStored(item)) }))
    .sort((a, b) => codec.compareParsed(a.parsed, b.parsed))
    .map(({ item }) => item);
}

/** Orders two values from stored texts. They are canonical, so that collections need not be encoded for it. */
function compareParsed(codec: Codec, a: InputValue, b: InputValue): number {
  return isCollection(codec) ? codec.compareParsed(a, b) : codec.compare(codec.encode(a), codec.encode(b));
}

function compareItems(element: Codec, a: InputValue, b: InputValue): number {
  const left = a as readonly InputValue[];
  const right = b as readonly InputValue[];
  for (const [index, item] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareParsed(element, item, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function isCollection(codec: Codec): codec is CollectionCodec {
  return "compareParsed" in codec;
}

/** The member name of a key: text as it is, anything else by its JSON text. */
function formatKey(key: Codec, stored: StoredValue): string {
  const json = key.toJson(stored);
  return json.startsWith('"') ? json : JSON.stringify(json);
}

function parse(stored: StoredValue) {
  try {
    return parseJson(stored as string, { maxDepth: 100 });
  } catch {
    throw new InvalidValueError("is not JSON");
  }
}
