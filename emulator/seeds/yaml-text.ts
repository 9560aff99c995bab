import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonValue,
  memberCount,
  memberEntries,
} from "../json/json-value.js";
import { writeJson } from "../json/write-json.js";

const schemaOfPackage = "./node_modules/data-service-emulator/fixtures/seed.schema.json";

/** A seed as the text of a file, which editors find the schema of. */
export function seedText(seed: JsonValue, format: "yaml" | "json"): string {
  return format === "yaml"
    ? `# yaml-language-server: $schema=${schemaOfPackage}\n${yamlText(seed)}`
    : `${writeJson(seed)}\n`;
}

const width = 110;

/** YAML takes no longer name in front of its colon: that of a longer one stands on the next line. */
const maxKeyLength = 1024;

/**
 * A value as YAML that people read and git merges: a line for each member, small objects in one line, numbers as they
 * are spelled. Reading it gives the same value.
 */
export function yamlText(value: JsonValue): string {
  return isEmpty(value) || !isCollection(value) ? `${flow(value)}\n` : `${block(value, 0).join("\n")}\n`;
}

function block(value: JsonValue, indent: number): string[] {
  const pad = " ".repeat(indent);
  if (isJsonArray(value))
    return value.flatMap((element) => {
      const line = `${pad}- ${oneLine(element, indent + 2) ?? ""}`;
      if (oneLine(element, indent + 2) !== undefined) return [line];
      const [first = "", ...rest] = block(element, indent + 2);
      return [`${pad}- ${first.trimStart()}`, ...rest];
    });
  if (!isJsonObject(value)) return [pad + flow(value)];
  return [...memberEntries(value)].flatMap(([name, member]) => {
    const written = key(name);
    const isLong = written.length > maxKeyLength;
    const head = isLong ? `${pad}:` : `${pad}${written}:`;
    const line = oneLine(member, head.length + 1, indent === 0);
    const lines = line === undefined ? [head, ...block(member, indent + 2)] : [`${head} ${line}`];
    return isLong ? [`${pad}? ${written}`, ...lines] : lines;
  });
}

/** The value in what is left of a line; nothing where it has to be spread over several. */
function oneLine(value: JsonValue, used: number, isTop = false): string | undefined {
  if (!isCollection(value)) return typeof value === "string" ? plainInBlock(value) : flow(value);
  if (isEmpty(value)) return flow(value);
  // lists change a line at a time
  if (isJsonArray(value) && (isTop || value.some((element) => isJsonObject(element)))) return undefined;
  const text = flow(value);
  return used + text.length <= width ? text : undefined;
}

function flow(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text;
  if (typeof value === "string") return words.test(value) && !isMeant(value) ? value : quoted(value);
  if (isJsonArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isJsonObject(value)) return String(value);
  const members = [...memberEntries(value)].map(([name, member]) => `${key(name)}: ${flow(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function key(name: string): string {
  return word.test(name) && !isMeant(name) ? name : quoted(name);
}

/** A text that begins like a word goes without quotes where nothing in it means anything to YAML. */
function plainInBlock(text: string): string {
  const isPlain = /^[A-Za-z_/][ -~]*[!-~]$/.test(text) && !/: |:$| #/.test(text);
  return (isPlain || words.test(text)) && !isMeant(text) ? text : quoted(text);
}

const word = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** What means nothing but itself inside brackets too: words, addresses, keys, times. */
const words =
  /^(?:[A-Za-z_/][A-Za-z0-9_@.+/#*-]*(?: [A-Za-z0-9_@.+/-][A-Za-z0-9_@.+/#*-]*)*|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)$/;

/** What stands for a value in one version of YAML or another. */
function isMeant(text: string): boolean {
  return /^(?:true|false|null|yes|no|on|off|y|n|~|\.?inf|\.?nan)$/i.test(text);
}

/** A JSON text is one of YAML, but for the characters that YAML takes for line breaks or none at all. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function isCollection(value: JsonValue): boolean {
  return isJsonArray(value) || isJsonObject(value);
}

function isEmpty(value: JsonValue): boolean {
  return isJsonArray(value) ? value.length === 0 : isJsonObject(value) && memberCount(value) === 0;
}
