import { isLosslessNumber, type LosslessNumber, parse } from "lossless-json";
import { toCanonicalJson, stringifyJson, isJsonObject } from "../client/json-text.js";

/** One place in which two values differ. */
export interface ValueDifference {
  /** The place in JavaScript notation, such as `.rows[3].total`; empty for the whole value. */
  readonly path: string;
  /** The expected JSON; undefined if no value was expected. */
  readonly expected?: string;
  /** The received JSON; undefined if the value is missing. */
  readonly seen?: string;
}

/**
 * Finds where two JSON texts differ, ignoring number notation and the order of fields. Equal entries at the beginning and
 * end of lists are skipped, so that after a missing entry, later entries do not differ. Numbers that are equal as doubles
 * count only if nothing else differs.
 *
 * @param expected the expected value; undefined if no value was expected
 * @param seen the received value; undefined if it is missing
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
  if (isJsonObject(expected) && isJsonObject(seen)) {
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

/** Counts the equal entries at the beginnings of two lists, and the equal entries at the ends of the rest. */
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

/** Whether two numbers differ only in digits beyond the precision of a double. */
function isRounding({ expected, seen }: ValueDifference): boolean {
  const [left, right] = [expected, seen].map((text) => (text === undefined ? undefined : parse(text)));
  return isLosslessNumber(left) && isLosslessNumber(right) && rounded(left) === rounded(right);
}

function rounded({ value }: LosslessNumber): number {
  return Number(value) + 0;
}

/** Returns an own property, because plain access finds `constructor` in every object. */
function member(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function step(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A text in three parts: the middle part differs. */
export interface MarkedDifference {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

/** Number of equal characters that are shown beside a difference. */
const context = 32;
/** Maximum number of differing characters that are shown. */
const maxShown = 200;

/** Returns the differing parts of two texts, with a few characters before and after them. */
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
