import type * as Yaml from "yaml";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
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
  const yaml = lazyRequire("yaml") as typeof Yaml;
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

/** How many values aliases may stand for, over and over: a few of them nested in each other would never end. */
const maxAliasedValues = 100_000;

class NodeReader {
  readonly mistakes: SeedMistake[] = [];
  readonly #yaml: typeof Yaml;
  readonly #contents: unknown;
  /** What an alias stands for: the anchor of its name before it. */
  readonly #targets = new Map<unknown, unknown>();
  /** What an anchor stands for is read once, however often it is used; with how many values it is. */
  readonly #known = new Map<unknown, { readonly value: JsonValue; readonly size: number }>();
  readonly #around = new Set<unknown>();
  #size = 0;
  #aliasedSize = 0;

  constructor(yaml: typeof Yaml, document: Yaml.Document.Parsed) {
    this.#yaml = yaml;
    this.#contents = document.contents;
    const anchors = new Map<string, unknown>();
    yaml.visit(document, {
      Node: (_key, node) => {
        if (yaml.isAlias(node)) this.#targets.set(node, anchors.get(node.source));
        else if (node.anchor !== undefined) anchors.set(node.anchor, node);
      },
    });
  }

  read(given: unknown, pointer: string): JsonValue {
    const node = this.#resolved(given);
    if (this.#yaml.isAlias(given) && node === undefined)
      return this.#refuse(
        pointer,
        `*${given.source} stands for nothing: no anchor of that name comes before it`,
      );
    const known = this.#known.get(node);
    if (known !== undefined) {
      this.#aliasedSize += known.size;
      this.#size += known.size;
      if (this.#aliasedSize <= maxAliasedValues) return known.value;
      return this.#refuse(pointer, `aliases stand for more than ${maxAliasedValues} values up to here`);
    }
    if (this.#around.has(node)) return this.#refuse(pointer, "holds itself");
    this.#around.add(node);
    const before = this.#size;
    this.#size += 1;
    const value = this.#readNode(node, pointer);
    this.#around.delete(node);
    if (typeof value === "object" && value !== null)
      this.#known.set(node, { value, size: this.#size - before });
    return value;
  }

  /** Where the value at a pointer begins in the text. */
  offsetOf(pointer: string): number {
    let node: unknown = this.#contents;
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
    return this.#yaml.isAlias(node) ? this.#targets.get(node) : node;
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
