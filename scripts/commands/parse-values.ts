import type * as Commander from "commander";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { maxJournalEntries } from "../../emulator/journal/journal.js";
import { addDuration } from "../../emulator/time/duration.js";

// with an import, Node would first scan the whole file for exports
const { InvalidArgumentError } = lazyRequire("commander") as typeof Commander;

/** Creates a parser of whole numbers. @param refusal message for any other text */
function createWholeNumberParser(least: number, most: number, refusal: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) throw new InvalidArgumentError(refusal);
    return number;
  };
}

export const parsePort = createWholeNumberParser(0, 65_535, "Expected a whole number from 0 to 65535.");
export const parseEntryCount = createWholeNumberParser(
  0,
  maxJournalEntries,
  `Expected a whole number from 0 to ${maxJournalEntries}.`,
);
export const parseSeed = createWholeNumberParser(0, 1e15 - 1, "Expected 0 or a positive whole number.");
export const parsePositiveCount = createWholeNumberParser(1, 999_999, "Expected a positive whole number.");

/** @returns milliseconds, at most a week */
export function parseTime(text: string): number {
  const time = addDuration(0, /\d$/.test(text) ? `${text}s` : text) ?? 0;
  if (!(time > 0))
    throw new InvalidArgumentError("Expected a number of seconds, or a duration such as 90s, 10m or 1h.");
  if (time > 604_800_000) throw new InvalidArgumentError("Expected at most one week.");
  return time;
}

/** @returns whole seconds, at most a week */
export function parseIdleTime(text: string): number {
  return Math.ceil(parseTime(text) / 1000);
}

/** @returns bytes */
export function parseSize(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})(MB|GB)$/i.exec(text) ?? [];
  const bytes = Number(number) * 1024 ** (unit.toUpperCase() === "GB" ? 3 : 2);
  if (!(bytes > 0))
    throw new InvalidArgumentError("Expected a size in megabytes or gigabytes, such as 512MB or 4GB.");
  return bytes;
}

export function appendHostName(text: string, before: readonly string[] = []): readonly string[] {
  const names = appendValue(text);
  const wrong = names.find((name) => !/^[a-z0-9](?:[a-z0-9._-]{0,252})$/i.test(name));
  if (wrong !== undefined || names.length === 0)
    throw new InvalidArgumentError("Expected a host name without a scheme, port or path.");
  return [...before, ...names];
}

export function appendValue(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((name) => name.trim())].filter((name) => name !== "");
}
