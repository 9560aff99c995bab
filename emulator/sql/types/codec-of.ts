import type { ScalarTypeName, SqlType } from "../grammar/syntax.js";
import { type Codec, type Given, GivenCollection, type Stored, ValueRefusal } from "./codec.js";
import { bigintCodec, decimalCodec, floatCodec, integerCodec } from "./number-codecs.js";
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
import { isJsonArray, isJsonObject, memberEntries } from "../../json/json-value.js";
import { readJson } from "../../json/read-json.js";
import { describeGiven } from "./describe-given.js";

const scalarCodecs: Readonly<Record<ScalarTypeName, Codec>> = {
  VARCHAR: varcharCodec,
  INT: integerCodec("INT", 32),
  BIGINT: bigintCodec,
  SMALLINT: integerCodec("SMALLINT", 16),
  TINYINT: integerCodec("TINYINT", 8),
  FLOAT: floatCodec("FLOAT"),
  DOUBLE: floatCodec("DOUBLE"),
  DECIMAL: decimalCodec,
  BOOLEAN: booleanCodec,
  DATE: dateCodec,
  TIME: timeCodec,
  TIMESTAMP: timestampCodec,
  BLOB: blobCodec,
  UUID: uuidCodec,
  TIMEUUID: timeuuidCodec,
};

/** The codec of a type. */
export function codecOf(type: SqlType): Codec {
  switch (type.kind) {
    case "scalar":
      return scalarCodecs[type.name];
    case "list":
      return listCodec(codecOf(type.element));
    case "set":
      return setCodec(codecOf(type.element));
    case "map":
      return mapCodec(codecOf(type.key), codecOf(type.value));
  }
}

type Rules = Pick<Codec, "type" | "encode" | "compare">;

/** LIST: the items in their order. */
function listCodec(element: Codec): Codec {
  return collectionCodec({
    type: `LIST<${element.type}>`,
    encode: (given) => writeArray(element, encodeItems(element, given, "list")),
    compare: (a, b) => compareItems(element, itemsOf(element, a), itemsOf(element, b)),
  });
}

/** SET: the items without duplicates, in the order of their type. */
function setCodec(element: Codec): Codec {
  return collectionCodec({
    type: `SET<${element.type}>`,
    encode(given) {
      const sorted = encodeItems(element, given, "set").sort((a, b) => element.compare(a, b));
      return writeArray(
        element,
        sorted.filter((item, index) => index === 0 || element.compare(item, sorted[index - 1] ?? item) !== 0),
      );
    },
    compare: (a, b) => compareItems(element, itemsOf(element, a), itemsOf(element, b)),
  });
}

/** MAP: an object in JSON, its members in the order of the key type. Of two equal keys the last counts. */
function mapCodec(key: Codec, value: Codec): Codec {
  const entriesOf = (given: Given): [Stored, Stored][] => {
    const encoded = new Map<string, [Stored, Stored]>();
    for (const [givenKey, givenValue] of givenEntries(key, given)) {
      const storedKey = encodeItem(key, givenKey, "a key");
      encoded.set(nameOf(key, storedKey), [storedKey, encodeItem(value, givenValue, "a value")]);
    }
    return [...encoded.values()].sort(([a], [b]) => key.compare(a, b));
  };
  return collectionCodec({
    type: `MAP<${key.type}, ${value.type}>`,
    encode: (given) => {
      const members = entriesOf(given).map(
        ([name, member]) => `${nameOf(key, name)}:${value.toJson(member)}`,
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
function collectionCodec(rules: Rules): Codec {
  return {
    ...rules,
    affinity: "TEXT",
    scalar: false,
    toJson: String,
    fromName: parse,
    read: (column) => column,
  };
}

function givenEntries(key: Codec, given: Given): (readonly [Given, Given])[] {
  if (given instanceof GivenCollection) {
    if (given.kind === "map") return given.entries.map((entry) => [entry.key, entry.value]);
    // `{}` is read as an empty set
    if (given.kind === "set" && given.entries.length === 0) return [];
  } else if (!(given instanceof Uint8Array) && isJsonObject(given)) {
    return [...memberEntries(given)].map(([name, member]) => {
      try {
        return [key.fromName(name), member];
      } catch (error) {
        throw nested(error, `a key, ${describeGiven(name)},`);
      }
    });
  }
  throw new ValueRefusal(`is no MAP: an object is wanted, not ${describeGiven(given)}`);
}

function encodeItems(element: Codec, given: Given, kind: "list" | "set"): Stored[] {
  if (given instanceof GivenCollection && given.kind === kind)
    return given.entries.map((entry) => encodeItem(element, entry.value, "an item"));
  if (!(given instanceof Uint8Array) && !(given instanceof GivenCollection) && isJsonArray(given))
    return given.map((item) => encodeItem(element, item, "an item"));
  throw new ValueRefusal(`is no ${kind.toUpperCase()}: an array is wanted, not ${describeGiven(given)}`);
}

function encodeItem(codec: Codec, given: Given, role: string): Stored {
  if (given === null) throw new ValueRefusal(`has ${role} that is null`);
  try {
    return codec.encode(given);
  } catch (error) {
    throw nested(error, `${role}, ${describeGiven(given)},`);
  }
}

function nested(error: unknown, subject: string): unknown {
  return error instanceof ValueRefusal ? new ValueRefusal(`has ${subject} that ${error.message}`) : error;
}

function writeArray(element: Codec, items: readonly Stored[]): string {
  return `[${items.map((item) => element.toJson(item)).join(",")}]`;
}

function itemsOf(element: Codec, stored: Stored): Stored[] {
  const items = parse(stored);
  return isJsonArray(items) ? items.map((item) => element.encode(item)) : [];
}

function compareItems(element: Codec, a: readonly Stored[], b: readonly Stored[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = element.compare(item, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** The member name of a key: text as it is, anything else by its JSON text. */
function nameOf(key: Codec, stored: Stored): string {
  const json = key.toJson(stored);
  return json.startsWith('"') ? json : JSON.stringify(json);
}

function parse(stored: Stored) {
  try {
    return readJson(stored as string, { maxDepth: 100 });
  } catch {
    throw new ValueRefusal("is not JSON");
  }
}
