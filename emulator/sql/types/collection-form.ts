import { isJsonArray, isJsonObject, memberEntries, memberOf } from "../../json/json-value.js";
import { readJson } from "../../json/read-json.js";
import { writeJson } from "../../json/write-json.js";
import type { SqlType } from "../grammar/syntax.js";
import { type Codec, type Given, GivenCollection, ValueRefusal } from "./codec.js";
import { codecOf } from "./codec-of.js";
import { describeGiven } from "./describe-given.js";
import type { Form, ValueForms } from "./value-forms.js";

type CollectionType = Exclude<SqlType, { readonly kind: "scalar" }>;
type Entry = GivenCollection["entries"][number];

/**
 * The form of a collection: that of its elements, and for sets and maps their own.
 *
 * @param formOf the form of the types in it
 */
export function collectionForm(
  type: CollectionType,
  forms: ValueForms,
  formOf: (type: SqlType, forms: ValueForms) => Form | undefined,
): Form | undefined {
  if (type.kind === "map") return mapForm(type, forms, formOf(type.key, forms), formOf(type.value, forms));
  const element = formOf(type.element, forms);
  const isStrict = type.kind === "set" && forms["sql-set-duplicates"] === "refuse";
  if (element === undefined && !isStrict) return undefined;
  const codec = codecOf(type.element);
  return {
    read(given) {
      const items = itemsOf(given, type.kind)?.map((item) => readWith(element, item));
      // what is no list or set is the codec's to refuse
      if (items === undefined) return given;
      if (isStrict) refuseDuplicates(codec, items);
      return new GivenCollection(
        type.kind,
        items.map((value) => ({ key: null, value })),
      );
    },
    write: (json) =>
      element === undefined
        ? json
        : `[${elements(json)
            .map((item) => element.write(item))
            .join(",")}]`,
  };
}

function mapForm(
  type: Extract<SqlType, { kind: "map" }>,
  forms: ValueForms,
  key: Form | undefined,
  value: Form | undefined,
): Form | undefined {
  const shape = forms["sql-map-form"];
  if (shape === "object" && key === undefined && value === undefined) return undefined;
  const codec = codecOf(type.key);
  const named = (name: string): Given =>
    // a number that stands for a date is a number in a name, too
    key !== undefined && isNumberForm(type.key, forms) ? Number(name) : codec.fromName(name);
  return {
    read(given) {
      const entries = entriesOf(given, shape, named);
      if (entries === undefined) return given;
      return new GivenCollection(
        "map",
        entries.map((entry) => ({ key: readWith(key, entry.key), value: readWith(value, entry.value) })),
      );
    },
    write(json) {
      const object = readJson(json, { maxDepth });
      const entries = isJsonObject(object) ? [...memberEntries(object)] : [];
      const texts = entries.map(([name, member]) => {
        const keyJson = codec.toJson(codec.encode(codec.fromName(name)));
        const valueJson = writeJson(member);
        return [key?.write(keyJson) ?? keyJson, value?.write(valueJson) ?? valueJson] as const;
      });
      if (shape === "pairs") return `[${texts.map(([name, member]) => `[${name},${member}]`).join(",")}]`;
      if (shape === "entries")
        return `[${texts.map(([name, member]) => `{"key":${name},"value":${member}}`).join(",")}]`;
      const members = texts.map(([name, member]) => `${name.startsWith('"') ? name : `"${name}"`}:${member}`);
      return `{${members.join(",")}}`;
    },
  };
}

const maxDepth = 100;

function readWith(form: Form | undefined, given: Given): Given {
  return form === undefined || given === null ? given : form.read(given);
}

function elements(json: string): string[] {
  const items = readJson(json, { maxDepth });
  return isJsonArray(items) ? items.map((item) => writeJson(item)) : [];
}

function itemsOf(given: Given, kind: "list" | "set"): readonly Given[] | undefined {
  if (given instanceof GivenCollection)
    return given.kind === kind ? given.entries.map((entry) => entry.value) : undefined;
  return !(given instanceof Uint8Array) && isJsonArray(given) ? given : undefined;
}

/** The entries of a map in its shape, or of a literal; nothing for what the codec knows. @throws ValueRefusal */
function entriesOf(
  given: Given,
  shape: ValueForms["sql-map-form"],
  named: (name: string) => Given,
): readonly Entry[] | undefined {
  if (given instanceof GivenCollection) return given.kind === "map" ? given.entries : undefined;
  if (given instanceof Uint8Array) return undefined;
  if (shape === "object")
    return isJsonObject(given)
      ? [...memberEntries(given)].map(([name, value]) => ({ key: named(name), value }))
      : undefined;
  if (!isJsonArray(given)) throw noMap(shape, given);
  return given.map((entry): Entry => {
    if (shape === "pairs") {
      const [key, value, ...rest] = isJsonArray(entry) ? entry : [];
      if (key === undefined || value === undefined || rest.length > 0) throw noMap(shape, given);
      return { key, value };
    }
    const key = isJsonObject(entry) ? memberOf(entry, "key") : undefined;
    const value = isJsonObject(entry) ? memberOf(entry, "value") : undefined;
    if (key === undefined || value === undefined) throw noMap(shape, given);
    return { key, value };
  });
}

function noMap(shape: string, given: Given): ValueRefusal {
  return new ValueRefusal(`is no MAP: an array of ${shape} is wanted, not ${describeGiven(given)}`);
}

function isNumberForm(type: SqlType, forms: ValueForms): boolean {
  return (
    type.kind === "scalar" && ["DATE", "TIME"].includes(type.name) && forms["sql-date-time-form"] === "number"
  );
}

function refuseDuplicates(codec: Codec, items: readonly Given[]): void {
  const seen = new Set<string>();
  for (const item of items) {
    if (item === null) continue;
    const text = codec.toJson(codec.encode(item));
    if (seen.has(text)) throw new ValueRefusal(`has ${describeGiven(item)} twice`);
    seen.add(text);
  }
}
