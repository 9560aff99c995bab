import { isLosslessNumber, type LosslessNumber, parse } from "lossless-json";
import { toCanonicalJson, stringifyJson } from "../client/json-text.js";

/** One place in which two values are not the same. */
export interface ValueDifference {
  /** Where in the value, as JavaScript would say it: `.rows[3].total`; empty for the whole. */
  readonly path: string;
  /** JSON; nothing for what should not be there. */
  readonly expected?: string;
  /** JSON; nothing for what is missing. */
  readonly seen?: string;
}

/**
 * Where two JSON texts differ. Spelling does not count, nor the order of members. Lists are compared between
 * what they have in common at both ends, so that a missing element does not make all those after it differ. Numbers that a double holds as one count only where nothing else differs.
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
    const { start, end } = countCommon(
      expected.map((entry) => toCanonicalJson(entry)),
      seen.map((entry) => toCanonicalJson(entry)),
    );
    const [gone, come] = [expected, seen].map((list: unknown[]) => list.slice(start, list.length - end));
    for (let n = 0; n < Math.max(expected.length, seen.length) - start - end; n++)
      collect(`${path}[${start + n}]`, gone?.[n], come?.[n], found);
    return;
  }
  if (isObject(expected) && isObject(seen)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(seen)]))
      collect(path + step(name), member(expected, name), member(seen, name), found);
    return;
  }
  found.push({
    path,
    ...(expected === undefined ? {} : { expected: stringifyJson(expected) }),
    ...(seen === undefined ? {} : { seen: stringifyJson(seen) }),
  });
}

/** How many entries two lists have in common at their beginnings, and at their ends behind those. */
function countCommon(left: readonly string[], right: readonly string[]) {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return { start, end };
}

function isSame(expected: unknown, seen: unknown): boolean {
  return expected === undefined || seen === undefined
    ? expected === seen
    : toCanonicalJson(expected) === toCanonicalJson(seen);
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
export interface MarkedDifference {
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
): { readonly expected: MarkedDifference; readonly seen: MarkedDifference } {
  // by characters, so that none is cut in half
  const [left, right] = [Array.from(expected), Array.from(seen)];
  const { start, end } = countCommon(left, right);
  const mark = (text: readonly string[]): MarkedDifference => {
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
