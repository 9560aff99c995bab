import { isLosslessNumber, parse } from "lossless-json";
import { exactValue, type JsonText } from "../client/json-text.js";

/** What decimal types of databases hold: significant digits, and powers of ten. */
const mostDigits = 38;
const powers = { least: -130, most: 125 };

/**
 * Whether every store has room for an object: no text in it has the character NUL, and no number more digits or another
 * size than decimal types take. That data is an object is all that the specification says: who refuses the others keeps
 * its words, and what is accepted has to come back.
 */
export function isOrdinary({ text }: JsonText): boolean {
  return isOrdinaryValue(parse(text));
}

function isOrdinaryValue(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0");
  if (isLosslessNumber(value)) return isOrdinaryNumber(value.value);
  if (Array.isArray(value)) return value.every(isOrdinaryValue);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => isOrdinaryValue(name) && isOrdinaryValue(member));
}

function isOrdinaryNumber(spelling: string): boolean {
  const [, digits = "0", power = "0"] = /^-?(\d+)(?:e(-?\d+))?$/.exec(exactValue(spelling)) ?? [];
  if (digits === "0") return true;
  const size = Number(power) + digits.length - 1;
  return digits.length <= mostDigits && size >= powers.least && size <= powers.most;
}
