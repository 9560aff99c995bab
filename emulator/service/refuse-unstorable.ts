import type { Profile } from "../../openapi/gaps/profile.js";
import { invalidBody, Problem } from "../domain/problem.js";
import { decimalOf } from "../json/decimal-of.js";
import { JsonNumber, type JsonValue } from "../json/json-value.js";
import { placeOfFirst } from "../json/place-of-first.js";
import type { MountedOperation } from "../request/mounted-operation.js";

interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly json: JsonValue | undefined;
}

/**
 * Refuses what the store of a deployment may have no room for: the character U+0000 (gap `nul-characters`), and numbers
 * that are no decimals of the usual size (gap `number-range`), which the SQL interface has types of its own for.
 */
export function refuseUnstorable(
  { path, json }: Given,
  { errorBody }: Pick<MountedOperation, "errorBody">,
  profile: Profile,
): void {
  if (profile["nul-characters"] === "refused") {
    const name = Object.keys(path).find((parameter) => hasNul(path[parameter] ?? ""));
    if (name !== undefined) throw new Problem("malformed-request", `The ${name} in the path ${nulDetail}.`);
    refuseFirst(json, hasNul, nulDetail);
  }
  if (profile["number-range"] === "decimals" && errorBody !== "sql")
    refuseFirst(json, isNoDecimal, decimalDetail);
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

/** Significant digits, and the powers of ten of the first one. */
const decimals = { digits: 38, least: -130, most: 125 };
const decimalDetail = `must be 0, or have at most ${decimals.digits} digits and a size from 1e${decimals.least} to below 1e${decimals.most + 1}`;

function isNoDecimal(scalar: JsonValue): boolean {
  if (typeof scalar !== "number" && !(scalar instanceof JsonNumber)) return false;
  const { sign, digits, exponent } = decimalOf(scalar);
  const power = exponent - 1;
  return sign !== 0 && (digits.length > decimals.digits || power < decimals.least || power > decimals.most);
}
