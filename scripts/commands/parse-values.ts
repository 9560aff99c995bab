import type * as Commander from "commander";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { maxEntries } from "../../emulator/journal/journal.js";

// an import would have Node read the whole text for its exports first
const { InvalidArgumentError } = lazyRequire("commander") as typeof Commander;

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

export function parseEntries(text: string): number {
  const entries = Number(text);
  if (!/^\d{1,6}$/.test(text) || entries > maxEntries)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxEntries}.`);
  return entries;
}

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("A seed is a whole number, 0 or more.");
  return seed;
}

export function parseRuns(text: string): number {
  const runs = Number(text);
  if (!/^\d{1,6}$/.test(text) || runs < 1)
    throw new InvalidArgumentError("The number of tries is a whole number, 1 or more.");
  return runs;
}

/** @returns milliseconds */
export function parseTime(text: string): number {
  const [, number = "", unit = "s"] = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text) ?? [];
  const time = Number(number) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"];
  if (!(time > 0)) throw new InvalidArgumentError("A time is a number of seconds, or 90s, 10m, 1h.");
  return time;
}

/** @returns whole seconds, within what a namespace may be told */
export function parseIdleTime(text: string): number {
  const seconds = Math.ceil(parseTime(text) / 1000);
  if (seconds > 604_800) throw new InvalidArgumentError("A namespace can be kept unused for a week at most.");
  return seconds;
}

/** @returns bytes */
export function parseSize(text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})(MB|GB)$/i.exec(text) ?? [];
  const bytes = Number(number) * 1024 ** (unit.toUpperCase() === "GB" ? 3 : 2);
  if (!(bytes > 0))
    throw new InvalidArgumentError("A size is a number of megabytes or gigabytes: 512MB, 4GB.");
  return bytes;
}

export function parseHostName(text: string, before: readonly string[] = []): readonly string[] {
  const names = collect(text);
  const wrong = names.find((name) => !/^[a-z0-9](?:[a-z0-9._-]{0,252})$/i.test(name));
  if (wrong !== undefined || names.length === 0)
    throw new InvalidArgumentError("Give the name of a host, without scheme, port and path.");
  return [...before, ...names];
}

export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((name) => name.trim())].filter((name) => name !== "");
}
