import type * as Yaml from "yaml";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { isCanonicalNumberText, JsonNumber, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { toErrorMessage } from "../../openapi/text/to-error-message.js";
import { SeedError } from "./seed-error.js";

/** Keeps the digits of a number if a double would be written differently. */
const numberTag: Yaml.ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  identify: (value) => typeof value === "number" || value instanceof JsonNumber,
  test: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  resolve: (text) => (isCanonicalNumberText(text) ? Number(text) : new JsonNumber(text)),
  stringify: ({ value }) => (value instanceof JsonNumber ? value.text : String(value)),
};

/** Maximum number of values that aliases may expand to. A few nested aliases could expand to billions of values. */
const maxAliasCount = 100_000;

/** Maximum number of aliases. For each alias, the package searches all anchors. */
const maxAliases = 10_000;

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
    customTags: (tags) => [numberTag, ...tags],
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
  // A warning is about a tag outside YAML's core schema.
  const [syntaxError] = [...document.errors, ...document.warnings];
  if (syntaxError !== undefined)
    reject(syntaxError.pos[0], `this is neither YAML nor JSON. ${syntaxError.message}`);
  const anchors = new Map<string, Yaml.Node>();
  let aliases = 0;
  yaml.visit(document, {
    Node: (_key, node, path) => {
      const offset = node.range?.[0] ?? 0;
      if (yaml.isAlias(node) && (aliases += 1) > maxAliases)
        reject(offset, `there are more than ${maxAliases} aliases`);
      const repeated = yaml.isMap(node) ? findRepeatedKey(node) : undefined;
      if (repeated !== undefined)
        reject(repeated.range?.[0] ?? 0, "this key occurs more than once in its object");
      const mistake = findMistake(yaml, node, path, anchors);
      if (mistake !== undefined) reject(offset, mistake);
      if (!yaml.isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  try {
    // A file that contains only comments has no value.
    const json = (document.toJS({ mapAsMap: true, maxAliasCount }) ?? new Map()) as JsonValue;
    return { json, locate: (pointer: string) => formatPosition(findOffset(yaml, document, pointer)) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return reject(0, `the aliases expand to more than ${maxAliasCount} values`);
  }
}

function findRepeatedKey(map: Yaml.YAMLMap): Yaml.Node | undefined {
  const values = new Set<unknown>();
  for (const { key } of map.items as Yaml.Pair<Yaml.Scalar>[]) {
    if (values.has(key.value)) return key;
    values.add(key.value);
  }
  return undefined;
}

/**
 * Returns the mistake in a node, or undefined if it is valid.
 *
 * @param path the ancestors of the node
 * @param anchors the anchors before the node
 */
function findMistake(
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
  // For example, a hexadecimal number is rounded.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !isCanonicalNumberText(source ?? ""))
    return `must be a decimal number: ${source ?? ""} has too many digits in this notation`;
  if (!(value instanceof JsonNumber))
    return typeof value === "object" && value !== null
      ? "must be a JSON value; put text in quotes"
      : undefined;
  try {
    // Throws if the number is out of range.
    parseJson(value.text, { maxDepth: 1 });
    return undefined;
  } catch (error) {
    // Omits the position, which is relative to the number.
    return toErrorMessage(error).replace(/ \(line .*/, "");
  }
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
    customTags: (tags) => [numberTag, ...tags.map(escapeTexts)],
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

/** Makes the tag of texts write JSON strings, with escapes for characters that are line breaks or invalid in YAML. */
function escapeTexts(tag: Yaml.Tags[number]): Yaml.Tags[number] {
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
