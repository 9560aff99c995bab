import type * as Yaml from "yaml";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { JsonNumber, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { SeedError } from "./seed-error.js";

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Keeps all digits of a number, and rejects the notations that only YAML has. */
const numberTag: Yaml.ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => typeof value === "number" || value instanceof JsonNumber,
  // All numbers of YAML's core schema.
  test: /^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.inf|\.nan)$/i,
  resolve: (text) => {
    if (!jsonNumber.test(text))
      throw new Error(`must be a valid JSON number, not ${text}; put text in quotes`);
    try {
      return parseJson(text, { maxDepth: 1 });
    } catch (error) {
      // Omits the position, which is relative to the number.
      throw new Error(toErrorMessage(error).replace(/ \(line .*/, ""), { cause: error });
    }
  },
  stringify: ({ value }) => (value instanceof JsonNumber ? value.text : String(value)),
};

/** Replaces the numbers of YAML's core schema with those of JSON. */
function replaceNumberTags(tags: Yaml.Tags): Yaml.Tags {
  return [numberTag, ...tags.filter((tag) => typeof tag === "string" || !/:(?:int|float)$/.test(tag.tag))];
}

/** Maximum number of values that aliases may expand to. A few nested aliases could expand to billions of values. */
const maxAliasCount = 100_000;

/** Maximum nesting of arrays and objects: twice that of a request body, because a seed contains such bodies. */
const maxDepth = 200;
const tooDeep = `arrays and objects are nested more than ${maxDepth} levels deep`;

/**
 * Parses YAML, which includes JSON, without losing digits or the order of fields.
 *
 * @param source what messages call the text
 * @returns the value, and a function that returns the position of a JSON pointer or its nearest ancestor, such as
 *   `seed.yaml:7:5`
 * @throws SeedError for invalid YAML, or for values that JSON does not have
 */
export function parseSeedText(text: string, source: string) {
  const yaml = lazyRequire("yaml") as typeof Yaml;
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    customTags: replaceNumberTags,
    resolveKnownTags: false,
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    // The package compares each key with all previous ones; here, they are looked up.
    uniqueKeys: false,
  });
  const formatPosition = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${source}:${line}:${col}`;
  };
  const reject = (offset: number, detail: string): never => {
    throw new SeedError(`${source} has a mistake:\n  ${formatPosition(offset)}: ${detail}`);
  };
  // A warning is about an unknown tag.
  for (const { pos, code, message } of [...document.errors, ...document.warnings])
    if (code === "RESOURCE_EXHAUSTION") reject(pos[0], tooDeep);
    else
      reject(pos[0], code === "TAG_RESOLVE_FAILED" ? message : `this is neither YAML nor JSON. ${message}`);

  /** The values of the anchors so far, and how many values they contain; undefined within the value itself. */
  const anchors = new Map<string, { readonly json: JsonValue; readonly size: number } | undefined>();
  let size = 0;
  let repeatedSize = 0;
  const toJson = (node: Yaml.ParsedNode | null, depth: number): JsonValue => {
    if (node === null) return null;
    const [offset] = node.range;
    if (yaml.isAlias(node)) {
      const { source: name } = node;
      if (!anchors.has(name))
        return reject(offset, `*${name} is undefined: there is no anchor with this name before it`);
      const target = anchors.get(name) ?? reject(offset, "contains itself");
      size += target.size;
      repeatedSize += target.size;
      if (repeatedSize > maxAliasCount)
        reject(offset, `the aliases expand to more than ${maxAliasCount} values`);
      return target.json;
    }
    const { anchor } = node;
    const sizeBefore = size;
    size += 1;
    if (anchor !== undefined) anchors.set(anchor, undefined);
    if (depth === maxDepth && yaml.isCollection(node)) reject(offset, tooDeep);
    const json = yaml.isMap(node)
      ? toJsonObject(node, depth + 1)
      : yaml.isSeq(node)
        ? node.items.map((item) => toJson(item, depth + 1))
        : (node.value as JsonValue);
    if (typeof json === "string" && !json.isWellFormed()) reject(offset, "contains half of a surrogate pair");
    if (anchor !== undefined) anchors.set(anchor, { json, size: size - sizeBefore });
    return json;
  };
  const toJsonObject = (map: Yaml.YAMLMap.Parsed, depth: number): JsonValue => {
    const fields = new Map<string, JsonValue>();
    for (const { key, value } of map.items) {
      const name = toJson(key, depth) as string;
      if (fields.has(name)) reject(key.range[0], "this key occurs more than once in its object");
      fields.set(name, toJson(value, depth));
    }
    return fields;
  };
  // A file that contains only comments has no value.
  const json = toJson(document.contents, 0) ?? new Map<string, JsonValue>();
  return { json, locate: (pointer: string) => formatPosition(findOffset(yaml, document, pointer)) };
}

/** Returns the offset of the value at a pointer, or of its nearest ancestor. */
function findOffset(yaml: typeof Yaml, document: Yaml.Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const segment of pointer.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (yaml.isAlias(node)) node = node.resolve(document);
    if (!yaml.isCollection(node)) return offset;
    const pair = node.items.find((item) => yaml.isPair(item) && String(item.key) === name);
    const found = yaml.isSeq(node) ? node.items[Number(name)] : (pair as Yaml.Pair | undefined)?.key;
    offset = (found as Yaml.Node | undefined)?.range?.[0] ?? offset;
    node = yaml.isSeq(node) ? found : (pair as Yaml.Pair | undefined)?.value;
  }
  return offset;
}

const packagedSchema = "./node_modules/data-service-emulator/fixtures/seed.schema.json";

/** Formats a seed as the text of a file, with a link to the schema for editors. */
export function formatSeed(seed: JsonValue, format: "yaml" | "json"): string {
  return format === "yaml"
    ? `# yaml-language-server: $schema=${packagedSchema}\n${formatYaml(seed)}`
    : `${stringifyJson(seed)}\n`;
}

const maxLineLength = 110;

/**
 * Formats a value as YAML that is easy to read and to merge: each field has its own line, unless its object fits on one
 * line. Parsing the text returns the same value.
 */
export function formatYaml(value: JsonValue): string {
  const yaml = lazyRequire("yaml") as typeof Yaml;
  const document = new yaml.Document(value, {
    customTags: (tags) => replaceNumberTags(tags).map(escapeTexts),
    aliasDuplicateObjects: false,
  });
  yaml.visit(document, {
    Collection: (_key, node, path) => {
      const content = node.toJS(document, { mapAsMap: true }) as JsonValue;
      // Each element has its own line, so that changes of a list can be merged.
      const isList = yaml.isSeq(node) && (path.length === 2 || node.items.some((item) => yaml.isMap(item)));
      if (path.length === 1 || isList) return undefined;
      const pair = path.at(-1);
      const indent = 2 * path.filter((ancestor) => yaml.isCollection(ancestor)).length;
      const used = indent + (yaml.isPair(pair) ? String(pair.key).length : 0);
      if (used + stringifyJson(content).length > maxLineLength) return undefined;
      node.flow = true;
      return yaml.visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: false });
}

/**
 * Makes the tag of texts write JSON strings, with escapes for characters that are line breaks or invalid in YAML, for all
 * texts of which printing escapes a character.
 */
function escapeTexts(tag: Yaml.Tags[number]): Yaml.Tags[number] {
  if (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:str") return tag;
  const { stringify, ...text } = tag as Yaml.ScalarTag;
  return {
    ...text,
    stringify: (item, ...rest) =>
      /^(?!.*(?:::|##))[ -~]*$/.test(String(item.value))
        ? (stringify?.(item, ...rest) ?? "")
        : JSON.stringify(item.value).replace(
            /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
  };
}
