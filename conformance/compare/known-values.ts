import { isDeepStrictEqual } from "node:util";
import type { Reference, Source, Template } from "./command.js";

/** So many places where a value was shown are enough. */
const mostSources = 4;

/** Shorter texts would be found by chance. */
const shortestValue = 4;

/** What a text has in common with a credential that it was made from. */
const shortestShared = 12;

/** What is known to be another value on each side, by what it was while the history was recorded. */
export class KnownValues {
  readonly #sources = new Map<string, Source[]>();
  readonly #parent: KnownValues | undefined;

  /** @param parent what was known before the history began */
  constructor(parent?: KnownValues) {
    this.#parent = parent;
  }

  add(value: string, source: Source): void {
    if (value.length < shortestValue) return;
    const sources = this.#sources.get(value);
    if (sources === undefined) this.#sources.set(value, [source]);
    else if (sources.length < mostSources && !sources.some((known) => isDeepStrictEqual(known, source)))
      sources.push(source);
  }

  /** What a text refers to; nothing where it is the same on every side. */
  find(text: string): Reference | undefined {
    const sources = this.#sourcesOf(text);
    if (sources !== undefined) return { sources };
    // an address in other letters is still that address
    if (text.includes("@") && text === text.toUpperCase()) {
      const lower = this.#sourcesOf(text.toLowerCase());
      if (lower !== undefined) return { sources: lower, change: { kind: "upper-case" } };
    }
    return undefined;
  }

  #sourcesOf(text: string): readonly Source[] | undefined {
    // of sessions, what the history itself has seen comes first: it stays right when they are begun anew
    const own = this.#sources.get(text);
    const before = this.#parent === undefined ? undefined : this.#parent.#sourcesOf(text);
    // what was there before is found where the target names it, wherever a list shows it
    return before?.some(({ from }) => from !== "session") === true ? before : (own ?? before);
  }

  /** What a text refers to that is no value, but one that somebody has changed. */
  findChanged(text: string): Reference | undefined {
    let best: { readonly reference: Reference; readonly shared: number } | undefined;
    for (const [value, sources] of this.#sources) {
      const start = sharedStart(value, text);
      const end = Math.min(sharedEnd(value, text), value.length - start, text.length - start);
      const shared = start + end;
      if (Math.max(start, end) < shortestShared || shared <= (best?.shared ?? 0)) continue;
      // from the end where that is nearer, so that values of another length are changed in the same place
      const from = start <= value.length / 2 ? "start" : "end";
      const at = from === "start" ? start : value.length - start;
      const [cut, between] = [value.length - start - end, text.slice(start, text.length - end)];
      best = { reference: { sources, change: { kind: "edit", from, at, cut, between } }, shared };
    }
    return best?.reference ?? this.#parent?.findChanged(text);
  }

  /**
   * A text between whose separators values may stand.
   *
   * @param separators with a group around it, so that they are kept
   */
  template(text: string, separators: RegExp): Template {
    return joined(text.split(separators).map((part) => this.find(part) ?? part));
  }

  /** A whole text, which is a value or not. */
  whole(text: string): Template {
    return [this.find(text) ?? text];
  }
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length++;
  return length;
}

function sharedEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[one.length - 1 - length] === other[other.length - 1 - length]) length++;
  return length;
}

/** Neighbouring texts as one. */
export function joined(parts: Template): Template {
  const result: (string | Reference)[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === "string" && typeof last === "string") result[result.length - 1] = last + part;
    else result.push(part);
  }
  return result;
}

/** The value after a change of a reference. */
export function changedValue(value: string, change: Reference["change"]): string {
  if (change === undefined) return value;
  if (change.kind === "upper-case") return value.toUpperCase();
  if (change.kind === "later") return new Date(Date.parse(value) + change.milliseconds).toISOString();
  const { from, at, cut, between } = change;
  // the place may lie beyond a value that is shorter than the one it was found in
  const place = Math.max(0, Math.min(from === "start" ? at : value.length - at, value.length - cut));
  return value.slice(0, place) + between + value.slice(place + cut);
}
