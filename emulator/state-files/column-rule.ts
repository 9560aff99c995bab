import { endOfTime } from "../time/timestamp.js";

/** What every value of a column is. */
export interface ColumnRule {
  /** SQL that is true of the right values. */
  readonly holds: (column: string) => string;
  /** Completes "is not …". */
  readonly what: string;
  /** Whether the values are text that somebody may have written; JSON is looked at apart. */
  readonly isText: boolean;
}

/** Any text. */
export const text: ColumnRule = {
  holds: (column) => `typeof(${column}) = 'text'`,
  what: "text",
  isText: true,
};

/** JSON, whose content `checkJsonColumns` looks at. */
export const json: ColumnRule = { ...text, isText: false };

/** What the emulator makes up: ids, tokens, hashes. */
export const identifier: ColumnRule = {
  holds: (column) =>
    `typeof(${column}) = 'text' AND length(${column}) BETWEEN 1 AND 128 AND ${column} NOT GLOB '*[^A-Za-z0-9_-]*'`,
  what: "1 to 128 letters, digits, _ and -",
  isText: true,
};

/** A whole number, at most one that can be counted on from for ever. */
export function whole(least = 0, most = 2 ** 52): ColumnRule {
  return {
    holds: (column) => `typeof(${column}) = 'integer' AND ${column} BETWEEN ${least} AND ${most}`,
    what: `a whole number from ${least} to ${most}`,
    isText: false,
  };
}

/** A time in milliseconds since 1970. */
export const time: ColumnRule = { ...whole(0, endOfTime), what: "a time in milliseconds from 1970 to 9999" };

const maxWaitMs = 400 * 24 * 60 * 60 * 1000;

/** A time that was counted from another one: the last ones lie behind the end of time. */
export const laterTime: ColumnRule = {
  ...whole(0, endOfTime + maxWaitMs),
  what: "a time in milliseconds from 1970 to 10000",
};

export const flag: ColumnRule = { ...whole(0, 1), what: "0 or 1" };

/** One of these words. */
export function oneOf(words: readonly string[]): ColumnRule {
  const list = words.map((word) => `'${word}'`).join(", ");
  return {
    holds: (column) => `typeof(${column}) = 'text' AND ${column} IN (${list})`,
    what: `one of ${words.join(", ")}`,
    isText: false,
  };
}

/** The same, or nothing. */
export function orNull(rule: ColumnRule): ColumnRule {
  return {
    ...rule,
    holds: (column) => `${column} IS NULL OR (${rule.holds(column)})`,
    what: `NULL or ${rule.what}`,
  };
}
