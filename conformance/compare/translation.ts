import { resolvePointer } from "../../openapi/validation/json-pointer.js";
import { type History, isOfClock, type SharedValue, type Step } from "./history.js";

/** Longer bodies hold no values worth a search, and are sent as they are. */
const maxSearched = 300_000;

/** A string of JSON, wherever it stands in a text. */
const jsonString = /("(?:[^"\\]|\\.)*")/s;

/** Shorter texts are no tokens that a check has altered. */
const minTokenLength = 24;

/** What an altered token has at least in common with the token. */
const minSharedLength = 12;

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value that the target has not shown. */
export class ValueNotShown extends Error {}

/** Translates what a recorded request says into what the same request says to one target. */
export class Translation {
  readonly #history: History;
  readonly #resolve: (shared: SharedValue) => Promise<string | undefined>;
  readonly #run: string;
  readonly #values = new Map<string, string>();
  readonly #learned = new Set<string>();
  /** How far the clock of this target is from that of the recording, in milliseconds. */
  #clockOffset: number | undefined;

  /**
   * @param run the text in place of the recorded run id
   * @param resolve finds a value that was there before the history
   */
  constructor(history: History, run: string, resolve: (shared: SharedValue) => Promise<string | undefined>) {
    this.#history = history;
    this.#run = run;
    this.#resolve = resolve;
  }

  /** Takes the values that an answer of this target shows in place of the recorded ones. */
  learn(step: Step, body: unknown): void {
    for (const { pointer, value } of step.shows) {
      const here = resolvePointer(body, pointer);
      if (typeof here !== "string" || this.#values.has(value)) continue;
      this.#values.set(value, here);
      this.#learned.add(here);
    }
    if (!isOfClock(step)) return;
    const offset = clockTime(body) - clockTime(JSON.parse(step.exchange.answer?.body ?? "{}"));
    if (!Number.isNaN(offset)) this.#clockOffset = offset;
  }

  /** Whether a text is a value that an answer of the history has shown here. */
  hasLearned(text: string): boolean {
    return this.#learned.has(text);
  }

  /**
   * A text that is a value or not.
   *
   * @throws ValueNotShown when it is a value that this target has not shown
   */
  async text(text: string): Promise<string> {
    return (await this.#find(text)) ?? this.#plain(text);
  }

  async #find(text: string): Promise<string | undefined> {
    const shared = this.#history.recording.shared.get(text);
    const learned = this.#values.get(text);
    // a token that the history has made stays right when the session begins anew
    if (learned !== undefined && (shared === undefined || shared.from === "session")) return learned;
    if (shared !== undefined) {
      const value = await this.#resolve(shared);
      if (value === undefined) throw new ValueNotShown(text);
      return value;
    }
    if (this.#history.values.has(text)) throw new ValueNotShown(text);
    if (text.includes("@") && text === text.toUpperCase() && text !== text.toLowerCase())
      return (await this.#find(text.toLowerCase()))?.toUpperCase();
    return undefined;
  }

  /** A token, or one that a check has altered: where they differ it has the altered text. */
  async #token(text: string): Promise<string> {
    const found = await this.#find(text);
    if (found !== undefined || text.includes(this.#history.recording.run)) return found ?? text;
    let best = { value: "", start: 0, end: 0 };
    for (const value of [...this.#history.values, ...this.#history.recording.shared.keys()]) {
      const shortest = Math.min(value.length, text.length);
      let [start, end] = [0, 0];
      while (start < shortest && value[start] === text[start]) start++;
      while (end < shortest - start && value.at(-1 - end) === text.at(-1 - end)) end++;
      const isLike = Math.max(start, end) >= minSharedLength;
      if (isLike && start + end > best.start + best.end) best = { value, start, end };
    }
    const { value, start, end } = best;
    if (value === "") return text;
    const here = (await this.#find(value)) ?? value;
    const cut = value.length - start - end;
    // counted from the nearer end, so that values of another length are altered in the same place
    const from = start <= value.length / 2 ? start : here.length - value.length + start;
    const at = Math.max(0, Math.min(from, here.length - cut));
    return here.slice(0, at) + text.slice(start, text.length - end) + here.slice(at + cut);
  }

  /** Texts by name. */
  async texts(texts: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const translated: Record<string, string> = {};
    for (const [name, text] of Object.entries(texts)) translated[name] = await this.text(text);
    return translated;
  }

  /** Headers of a request; the credential may be an altered one. */
  async headers(headers: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const translated: Record<string, string> = { ...headers };
    for (const [name, header] of Object.entries(headers))
      if (/^authorization$/i.test(name))
        translated[name] = await this.#parts(header.split(/(\s+)/), (part) =>
          part.length >= minTokenLength ? this.#token(part) : this.text(part),
        );
    return translated;
  }

  /** Path and query of a request. */
  async target(target: string): Promise<string> {
    return this.#parts(target.split(/([/?&=])/), async (part) => {
      let here;
      try {
        here = await this.#find(decodeURIComponent(part));
      } catch (error) {
        if (!(error instanceof URIError)) throw error;
      }
      return here === undefined ? this.#plain(part) : encodeURIComponent(here);
    });
  }

  /** The body of a request. */
  async body(body: string, isControl: boolean): Promise<string> {
    if (body.length > maxSearched) return this.#plain(body);
    return this.#parts(body.split(jsonString), async (part, index) => {
      const text = index % 2 === 1 ? unquoted(part) : undefined;
      if (text === undefined) return this.#plain(part);
      let here: string | undefined;
      if (isControl && this.#clockOffset !== undefined && instant.test(text))
        here = new Date(Date.parse(text) + this.#clockOffset).toISOString();
      else if (text.length >= minTokenLength && !/\s/.test(text)) here = await this.#token(text);
      else here = await this.#find(text);
      // what is no value keeps its spelling
      return here === undefined || here === text ? this.#plain(part) : JSON.stringify(here);
    });
  }

  #plain(text: string): string {
    return text.replaceAll(this.#history.recording.run, this.#run);
  }

  async #parts(
    parts: readonly string[],
    translate: (part: string, index: number) => Promise<string>,
  ): Promise<string> {
    let text = "";
    for (const [index, part] of parts.entries()) text += await translate(part, index);
    return text;
  }
}

/** The strings in the text of JSON; none of bodies that are too long. */
export function jsonTexts(body: string): readonly string[] {
  if (body.length > maxSearched) return [];
  return body.split(jsonString).flatMap((part, index) => (index % 2 === 1 ? (unquoted(part) ?? []) : []));
}

function unquoted(part: string): string | undefined {
  try {
    return JSON.parse(part) as string;
  } catch {
    return undefined;
  }
}

/** What an answer about a clock says of the time. */
function clockTime(body: unknown): number {
  return Date.parse((body as { readonly now?: string } | undefined)?.now ?? "");
}
