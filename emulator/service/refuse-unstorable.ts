import { chosenLimits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { pointerTo } from "../../openapi/validation/json-pointer.js";
import { invalidBody, Problem } from "../domain/problem.js";
import { decimalOf } from "../json/decimal-of.js";
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue, memberOf } from "../json/json-value.js";
import { placeOfFirst } from "../json/place-of-first.js";
import type { MountedOperation } from "../request/mounted-operation.js";

interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly json: JsonValue | undefined;
}

/**
 * Refuses what the store of a deployment may have no room for: the character U+0000 (gap `nul-characters`), keys of items
 * that are not plain (gap `key-characters`), and numbers that are no decimals of the usual size (gap `number-range`),
 * which the SQL interface has types of its own for.
 */
export function refuseUnstorable(
  { path, json }: Given,
  { errorBody, handlerId }: Pick<MountedOperation, "errorBody" | "handlerId">,
  profile: Profile,
): void {
  if (profile["nul-characters"] === "refused") {
    refuseInPath(path, Object.keys(path), hasNul, nulDetail);
    refuseFirst(json, hasNul, nulDetail);
  }
  if (profile["key-characters"] === "plain" && handlerId.includes("Item")) {
    refuseInPath(path, keyMembers, isNoPlainKey, plainDetail);
    const place = placeOfOddKey(json);
    if (place !== undefined) throw invalidBody(place, plainDetail);
  }
  if (profile["number-range"] === "decimals" && errorBody !== "sql")
    refuseFirst(json, isNoDecimal, decimalDetail);
}

function refuseInPath(
  path: Given["path"],
  names: readonly string[],
  test: (text: string) => boolean,
  detail: string,
): void {
  const name = names.find((parameter) => test(path[parameter] ?? ""));
  if (name !== undefined) throw new Problem("malformed-request", `The ${name} in the path ${detail}.`);
}

function refuseFirst(
  json: JsonValue | undefined,
  test: (scalar: JsonValue) => boolean,
  detail: string,
): void {
  const place = json === undefined ? undefined : placeOfFirst(json, test);
  if (place !== undefined) throw invalidBody(place, detail);
}

const nulDetail = "must not hold the character U+0000";

function hasNul(scalar: JsonValue): boolean {
  return typeof scalar === "string" && scalar.includes("\0");
}

/** Where the keys of items stand: in the body itself, or in the entries of a batch or transaction. */
const keyMembers = ["pk", "sk", "partitionKey"] as const;
const entryMembers = ["items", "keys"] as const;
const plainDetail = `must have ${chosenLimits.plainKey.maximumLength} characters at most, of A-Z, a-z, 0-9 and - _ . : # @ ~`;

function isNoPlainKey(text: JsonValue | undefined): boolean {
  const { pattern, maximumLength } = chosenLimits.plainKey;
  return typeof text === "string" && (text.length > maximumLength || !pattern.test(text));
}

/** The JSON pointer of the first key in a body that is not plain; nothing where all are. */
function placeOfOddKey(json: JsonValue | undefined, pointer = ""): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const odd = keyMembers.find((name) => isNoPlainKey(memberOf(json, name)));
  if (odd !== undefined) return pointerTo(pointer, odd);
  for (const name of entryMembers) {
    const entries = memberOf(json, name);
    for (const [index, entry] of (isJsonArray(entries) ? entries : []).entries()) {
      const place = placeOfOddKey(entry, pointerTo(pointerTo(pointer, name), index));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** Significant digits, and the powers of ten of the first one. */
const decimals = { digits: 38, least: -130, most: 125 };
const decimalDetail = `must be 0, or have at most ${decimals.digits} digits and a size from 1e${decimals.least} to below 1e${decimals.most + 1}`;

function isNoDecimal(scalar: JsonValue): boolean {
  if (typeof scalar !== "number" && !(scalar instanceof JsonNumber)) return false;
  const { sign, digits, exponent } = decimalOf(scalar);
  const power = exponent - 1;
  return sign !== 0 && (digits.length > decimals.digits || power < decimals.least || power > decimals.most);
}
