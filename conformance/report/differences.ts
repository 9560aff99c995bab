import { isLosslessNumber, type LosslessNumber, parse } from "lossless-json";
import { canonicalJson, writeJson } from "../client/json-text.js";

/** One place in which two values are not the same. */
export interface ValueDifference {
  /** Where in the value, as JavaScript would say it: `.rows[3].total`; empty for the whole. */
  readonly path: string;
  /** JSON; nothing for what should not be there. */
  readonly expected?: string;
  /** JSON; nothing for what is missing. */
  readonly seen?: string;
}

/** Lists longer than this are compared place by place: finding out what was put in would take too long. */
const maxAlignedLength = 1500;

/**
 * Where two JSON texts differ. Spelling does not count, nor the order of members; elements that are missing from a list
 * do not make all those after them differ. Numbers that a double holds as one count only where nothing else differs.
 *
 * @param expected nothing for a value that should not be there
 * @param seen nothing for one that is not there
 */
export function findDifferences(
  expected: string | undefined,
  seen: string | undefined,
): readonly ValueDifference[] {
  const found: ValueDifference[] = [];
  const values = [expected, seen].map((text) => (text === undefined ? undefined : parse(text)));
  collect("", values[0], values[1], found);
  const real = found.filter((difference) => !isRounding(difference));
  return real.length > 0 ? real : found;
}

function collect(path: string, expected: unknown, seen: unknown, found: ValueDifference[]): void {
  if (isSame(expected, seen)) return;
  if (Array.isArray(expected) && Array.isArray(seen)) {
    for (const { at, pair } of alignLists(expected as unknown[], seen as unknown[]))
      collect(`${path}[${at}]`, pair[0], pair[1], found);
    return;
  }
  if (isObject(expected) && isObject(seen)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(seen)]))
      collect(path + step(name), member(expected, name), member(seen, name), found);
    return;
  }
  found.push({
    path,
    ...(expected === undefined ? {} : { expected: writeJson(expected) }),
    ...(seen === undefined ? {} : { seen: writeJson(seen) }),
  });
}

interface Pair {
  readonly at: number;
  readonly pair: readonly [expected: unknown, seen: unknown];
}

/** Puts the elements of two lists side by side: those that are the same first, and between them one after the other. */
function alignLists(expected: readonly unknown[], seen: readonly unknown[]): readonly Pair[] {
  const [left, right] = [expected.map(canonicalJson), seen.map(canonicalJson)];
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  for (const [i, j] of [...findCommon(left, right), [left.length, right.length] as const]) {
    const [gone, come] = [expected.slice(from, i), seen.slice(to, j)];
    for (let n = 0; n < Math.max(gone.length, come.length); n++)
      // what is there in both is named by its place in the answer, what is missing by the place it should have
      pairs.push({ at: n < come.length ? to + n : from + n, pair: [gone[n], come[n]] });
    [from, to] = [i + 1, j + 1];
  }
  return pairs;
}

/** The places of a longest common part of two lists, in order. */
function findCommon(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  const [rows, columns] = [left.length - start, right.length - start];
  const begin = Array.from({ length: start }, (_, n) => [n, n] as const);
  if (rows > maxAlignedLength || columns > maxAlignedLength) return begin;
  const width = columns + 1;
  const lengths = new Uint16Array((rows + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      lengths[i * width + j] =
        left[start + i] === right[start + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const common: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < rows && j < columns;)
    if (left[start + i] === right[start + j]) common.push([start + i++, start + j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return [...begin, ...common];
}

function isSame(expected: unknown, seen: unknown): boolean {
  return expected === undefined || seen === undefined
    ? expected === seen
    : canonicalJson(expected) === canonicalJson(seen);
}

/** Whether two numbers differ in digits alone that a double does not hold. */
function isRounding({ expected, seen }: ValueDifference): boolean {
  const [left, right] = [expected, seen].map((text) => (text === undefined ? undefined : parse(text)));
  return isLosslessNumber(left) && isLosslessNumber(right) && rounded(left) === rounded(right);
}

function rounded({ value }: LosslessNumber): number {
  return Number(value) + 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** A member of its own; careless reading finds `constructor` in every object. */
function member(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function step(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A text in three parts, of which the one in the middle is what differs. */
export interface Marked {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** How much of what two texts have in common is shown beside what differs. */
const context = 32;
/** More of what differs than this is cut. */
const maxShown = 200;

/** What two texts do not have in common, with a little of what stands around it. */
export function markDifference(
  expected: string,
  seen: string,
): { readonly expected: Marked; readonly seen: Marked } {
  // by characters, so that none is cut in half
  const [left, right] = [Array.from(expected), Array.from(seen)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  const mark = (text: readonly string[]): Marked => {
    const [before, differs, after] = [
      text.slice(0, start),
      text.slice(start, text.length - end),
      text.slice(text.length - end),
    ];
    return {
      before: before.length > context ? `…${before.slice(-context).join("")}` : before.join(""),
      differs: differs.length > maxShown ? `${differs.slice(0, maxShown).join("")}…` : differs.join(""),
      after: after.length > context ? `${after.slice(0, context).join("")}…` : after.join(""),
    };
  };
  return { expected: mark(left), seen: mark(right) };
}
