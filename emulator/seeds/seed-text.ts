import type * as Yaml from "yaml";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { isCanonicalNumberText, JsonNumber, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { SeedError } from "./seed-error.js";

/** A number as it is written, even if a double would be written differently. */
const numberTag: Yaml.ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => typeof value === "number" || value instanceof JsonNumber,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  resolve: (text) => (isCanonicalNumberText(text) ? Number(text) : new JsonNumber(text)),
  stringify: ({ value }) => (value instanceof JsonNumber ? value.text : String(value)),
};
/** A seed as it was written, with every digit and in the order of names. */
export interface ParsedSeedText {
  readonly json: JsonValue;
  /** Where a JSON pointer leads, as `seed.yaml:7:5`; what is not there is where its nearest ancestor is. */
  readonly placeOf: (pointer: string) => string;
}

/** Maximum number of values that aliases may expand to: a few nested aliases could expand without end. */
const maxAliasCount = 100_000;

/** Maximum number of aliases: for each one, the package searches all anchors. */
const maxAliases = 10_000;

/**
 * Reads YAML, which includes JSON. The parser is loaded on demand, because only seeds need it.
 *
 * @param of what the text is called in messages
 * @throws SeedError for invalid YAML, or for values that JSON does not have
 */
export function parseSeedText(text: string, of: string): ParsedSeedText {
  const yaml = lazyRequire("yaml") as typeof Yaml;
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    customTags: (tags) => [numberTag, ...tags],
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    // the package compares each key with all previous ones; here, they are looked up
    uniqueKeys: false,
  });
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${of}:${line}:${col}`;
  };
  const refuse = (offset: number, detail: string): never => {
    throw new SeedError(`${of} has a mistake:\n  ${at(offset)}: ${detail}`);
  };
  // a warning is about a tag that is not one of YAML's core schema
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined) refuse(wrong.pos[0], `this is neither YAML nor JSON. ${wrong.message}`);
  const anchors = new Map<string, Yaml.Node>();
  let aliases = 0;
  yaml.visit(document, {
    Node: (_key, node, path) => {
      if (yaml.isAlias(node) && (aliases += 1) > maxAliases)
        refuse(node.range?.[0] ?? 0, `there are more than ${maxAliases} aliases`);
      const repeated = yaml.isMap(node) ? findRepeatedKey(node) : undefined;
      if (repeated !== undefined)
        refuse(repeated.range?.[0] ?? 0, "this key occurs more than once in its object");
      const fault = faultOf(yaml, node, path, anchors);
      if (fault !== undefined) refuse(node.range?.[0] ?? 0, fault);
      if (!yaml.isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  try {
    const json = document.toJS({ mapAsMap: true, maxAliasCount }) as JsonValue | undefined;
    const placeOf = (pointer: string) => at(offsetOf(yaml, document, pointer));
    // a file with only comments has the default of everything
    return { json: json ?? new Map<string, JsonValue>(), placeOf };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return refuse(0, `the aliases expand to more than ${maxAliasCount} values`);
  }
}

function findRepeatedKey(map: Yaml.YAMLMap): Yaml.Node | undefined {
  const known = new Set<unknown>();
  for (const { key } of map.items as Yaml.Pair<Yaml.Scalar>[]) {
    if (known.has(key.value)) return key;
    known.add(key.value);
  }
  return undefined;
}

/** Returns the mistake in the node at `path`, if any; `anchors` are those before it. */
function faultOf(
  yaml: typeof Yaml,
  node: Yaml.Node,
  path: readonly unknown[],
  anchors: ReadonlyMap<string, Yaml.Node>,
): string | undefined {
  if (yaml.isAlias(node)) {
    const target = anchors.get(node.source);
    if (target === undefined)
      return `*${node.source} is undefined: there is no anchor with this name before it`;
    return path.includes(target) ? "contains itself" : undefined;
  }
  if (yaml.isCollection(node))
    return /(?:^|:map|:seq)$/.test(node.tag ?? "") ? undefined : "must be a JSON object or array";
  if (!yaml.isScalar(node)) return undefined;
  const { value, source } = node;
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "contains half of a surrogate pair";
  if (typeof value === "number" && !Number.isFinite(value))
    return `must be a valid JSON number, not ${source ?? String(value)}`;
  // such as a hexadecimal number, which was rounded
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !isCanonicalNumberText(source ?? ""))
    return `must be a decimal number: ${source ?? ""} has too many digits in this notation`;
  const outOfRange = value instanceof JsonNumber ? findMistake(value.text) : undefined;
  if (outOfRange !== undefined) return outOfRange;
  const isJson = typeof value !== "object" || value === null || value instanceof JsonNumber;
  return isJson ? undefined : "must be a JSON value; put text in quotes";
}

/** Returns the mistake in the JSON text of a number, such as one out of range. */
function findMistake(text: string): string | undefined {
  try {
    parseJson(text, { maxDepth: 1 });
    return undefined;
  } catch (error) {
    // its position is that in the number
    return toErrorMessage(error).replace(/ \(line .*/, "");
  }
}

/** Returns the position of the value at a pointer in the text. */
function offsetOf(yaml: typeof Yaml, document: Yaml.Document, pointer: string): number {
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

const schemaOfPackage = "./node_modules/data-service-emulator/fixtures/seed.schema.json";

/** Formats a seed as the text of a file, with a link to the schema for editors. */
export function formatSeed(seed: JsonValue, format: "yaml" | "json"): string {
  return format === "yaml"
    ? `# yaml-language-server: $schema=${schemaOfPackage}\n${formatYaml(seed)}`
    : `${stringifyJson(seed)}\n`;
}

const width = 110;

/**
 * Formats a value as YAML that is easy to read and merge: a line for each field, small objects in one line, numbers as they
 * are written. Reading the text returns the same value.
 */
export function formatYaml(value: JsonValue): string {
  const yaml = lazyRequire("yaml") as typeof Yaml;
  const document = new yaml.Document(value, {
    customTags: (tags) => [numberTag, ...tags.map(escapingTag)],
    aliasDuplicateObjects: false,
  });
  yaml.visit(document, {
    Collection: (_key, node, path) => {
      const inside = node.toJS(document, { mapAsMap: true }) as JsonValue;
      // lists change a line at a time
      const isList = yaml.isSeq(node) && (path.length === 2 || node.items.some((item) => yaml.isMap(item)));
      if (path.length === 1 || isList) return undefined;
      const pair = path.at(-1);
      const indent = 2 * path.filter((around) => yaml.isCollection(around)).length;
      const used = indent + (yaml.isPair(pair) ? String(pair.key).length : 0);
      if (used + stringifyJson(inside).length > width) return undefined;
      node.flow = true;
      return yaml.visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 0, singleQuote: false });
}

/** The tag of texts: a JSON text is one of YAML, but for the characters that YAML takes for line breaks or none at all. */
function escapingTag(tag: Yaml.Tags[number]): Yaml.Tags[number] {
  if (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:str") return tag;
  const { stringify, ...text } = tag as Yaml.ScalarTag;
  return {
    ...text,
    stringify: (item, ...rest) =>
      /^[ -~]*$/.test(String(item.value))
        ? (stringify?.(item, ...rest) ?? "")
        : JSON.stringify(item.value).replace(
            /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
            (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
  };
}
