import type * as Yaml from "yaml";
import { requireLate } from "../../openapi/packaged/require-late.js";
import { doubleSpells } from "../json/double-spells.js";
import { JsonNumber, type JsonValue } from "../json/json-value.js";
import { type SeedMistake, SeedError } from "./seed-mistake.js";

/** A seed as it was written: every digit, every name in its order. */
export interface SeedText {
  readonly json: JsonValue;
  /** Where a JSON pointer leads, as `seed.yaml:7:5`; what is not there is where its nearest ancestor is. */
  readonly placeOf: (pointer: string) => string;
}

/**
 * Reads YAML, which JSON is as well. The reader is loaded here, so that nobody waits for it who has no seed.
 *
 * @param of what the text is called in messages
 * @throws SeedError for what is no YAML, or has values that JSON has not
 */
export function readSeedText(text: string, of: string): SeedText {
  const yaml = requireLate("yaml") as typeof Yaml;
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${of}:${line}:${col}`;
  };
  const [wrong] = document.errors;
  if (wrong !== undefined) {
    const detail = `this is neither YAML nor JSON. ${wrong.message}`;
    throw new SeedError(of, [{ pointer: "", detail }], () => at(wrong.pos[0]));
  }
  const reader = new NodeReader(yaml, document);
  const placeOf = (pointer: string) => at(reader.offsetOf(pointer));
  const json = reader.read(document.contents, "");
  if (reader.mistakes.length > 0) throw new SeedError(of, reader.mistakes, placeOf);
  // a file of comments alone says that all is as usual
  return { json: json ?? new Map<string, JsonValue>(), placeOf };
}

class NodeReader {
  readonly mistakes: SeedMistake[] = [];
  readonly #yaml: typeof Yaml;
  readonly #document: Yaml.Document.Parsed;
  /** What an anchor stands for is read once, however often it is used. */
  readonly #known = new Map<unknown, JsonValue>();
  readonly #around = new Set<unknown>();

  constructor(yaml: typeof Yaml, document: Yaml.Document.Parsed) {
    this.#yaml = yaml;
    this.#document = document;
  }

  read(given: unknown, pointer: string): JsonValue {
    const node = this.#resolved(given);
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    if (this.#around.has(node)) return this.#refuse(pointer, "holds itself");
    this.#around.add(node);
    const value = this.#readNode(node, pointer);
    this.#around.delete(node);
    if (typeof value === "object" && value !== null) this.#known.set(node, value);
    return value;
  }

  /** Where the value at a pointer begins in the text. */
  offsetOf(pointer: string): number {
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const segment of pointer.split("/").slice(1)) {
      const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
      const within = this.#resolved(node);
      if (this.#yaml.isSeq(within)) {
        node = within.items[Number(name)];
        offset = startOf(node) ?? offset;
      } else if (this.#yaml.isMap(within)) {
        const pair = within.items.find(({ key }) => this.#nameOf(key) === name);
        if (pair === undefined) return offset;
        node = pair.value;
        offset = startOf(pair.key) ?? offset;
      }
    }
    return offset;
  }

  #readNode(node: unknown, pointer: string): JsonValue {
    if (this.#yaml.isSeq(node))
      return node.items.map((item, index) => this.read(item, `${pointer}/${index}`));
    if (this.#yaml.isMap(node)) {
      const members = node.items.map(({ key, value }): [string, JsonValue] => {
        const name = this.#nameOf(key);
        const inside = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        return [name, this.read(value, inside)];
      });
      return new Map(members);
    }
    return this.#yaml.isScalar(node) ? this.#readScalar(node, pointer) : null;
  }

  #readScalar({ value, source, type }: Yaml.Scalar, pointer: string): JsonValue {
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string")
      return value.isWellFormed() ? value : this.#refuse(pointer, "has half of a character");
    if (typeof value !== "number") return this.#refuse(pointer, "must be JSON: a text goes into quotes");
    if (!Number.isFinite(value))
      return this.#refuse(pointer, `must be a number that JSON has, not ${source ?? String(value)}`);
    const text = type === "PLAIN" && source !== undefined && jsonNumber.test(source) ? source : String(value);
    return doubleSpells(text) ? Number(text) : new JsonNumber(text);
  }

  #nameOf(key: unknown): string {
    const node = this.#resolved(key);
    if (!this.#yaml.isScalar(node)) return "";
    return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
  }

  #resolved(node: unknown): unknown {
    return this.#yaml.isAlias(node) ? node.resolve(this.#document) : node;
  }

  #refuse(pointer: string, detail: string): null {
    this.mistakes.push({ pointer, detail });
    return null;
  }
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function startOf(node: unknown): number | undefined {
  return (node as { readonly range?: readonly [number, number, number] } | undefined)?.range?.[0];
}
