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

type Rules = Pick<Codec, "type" | "encode" | "compare">;

/** LIST: the items in their order. */
function createListCodec(element: Codec): Codec {
  return createCollectionCodec({
    type: `LIST<${element.type}>`,
    encode: (given) => writeArray(element, encodeItems(element, given, "list")),
    compare: (a, b) => compareItems(element, parseItems(element, a), parseItems(element, b)),
  });
}

/** SET: the items without duplicates, in the order of their type. */
function createSetCodec(element: Codec): Codec {
  return createCollectionCodec({
    type: `SET<${element.type}>`,
    encode(given) {
      const sorted = encodeItems(element, given, "set").sort((a, b) => element.compare(a, b));
      return writeArray(
        element,
        sorted.filter((item, index) => index === 0 || element.compare(item, sorted[index - 1] ?? item) !== 0),
      );
    },
    compare: (a, b) => compareItems(element, parseItems(element, a), parseItems(element, b)),
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
    return [...encoded.values()].sort(([a], [b]) => key.compare(a, b));
  };
  return createCollectionCodec({
    type: `MAP<${key.type}, ${value.type}>`,
    encode: (given) => {
      const members = entriesOf(given).map(
        ([name, member]) => `${formatKey(key, name)}:${value.toJson(member)}`,
      );
      return `{${members.join(",")}}`;
    },
    compare: (a, b) => {
      const [left, right] = [entriesOf(parse(a)), entriesOf(parse(b))];
      for (const [index, [leftKey, leftValue]] of left.entries()) {
        const [rightKey, rightValue] = right[index] ?? [];
        if (rightKey === undefined || rightValue === undefined) return 1;
        const order = key.compare(leftKey, rightKey) || value.compare(leftValue, rightValue);
        if (order !== 0) return order;
      }
      return left.length - right.length;
    },
  });
}

/** Collections are stored as their canonical JSON text, which answers carry as it is. */
function createCollectionCodec(rules: Rules): Codec {
  return {
    ...rules,
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

function parseItems(element: Codec, stored: StoredValue): StoredValue[] {
  const items = parse(stored);
  return isJsonArray(items) ? items.map((item) => element.encode(item)) : [];
}

function compareItems(element: Codec, a: readonly StoredValue[], b: readonly StoredValue[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = element.compare(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
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
