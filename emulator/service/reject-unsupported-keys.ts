import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import { isJsonArray, isJsonObject, type JsonValue, getField } from "../json/json-value.js";
import type { MountedOperation } from "../request/mounted-operation.js";

interface Given {
  readonly path: Readonly<Record<string, string>>;
  readonly json: JsonValue | undefined;
}

/** Rejects item keys with special characters if the profile does not support them (gap `key-characters`). */
export function rejectUnsupportedItemKeys(
  { path, json }: Given,
  { operationId }: Pick<MountedOperation, "operationId">,
  profile: Profile,
): void {
  if (profile["key-characters"] !== "plain" || !operationId.includes("Item")) return;
  const name = keyFields.find((parameter) => isUnsupportedKey(path[parameter]));
  if (name !== undefined) throw new Problem("malformed-request", `The ${name} in the path ${plainDetail}.`);
  const place = findUnsupportedKey(json);
  if (place !== undefined) throw createInvalidBodyProblem(place, plainDetail);
}

/** Keys are fields of the body itself, or of the entries of a batch or transaction. */
const keyFields = ["pk", "sk", "partitionKey"] as const;
const listFields = ["items", "keys"] as const;
const plainDetail = `must consist of at most ${emulatorDefinedLimits.plainKey.maximumLength} characters from A-Z, a-z, 0-9 and - _ . : # @ ~`;

function isUnsupportedKey(text: JsonValue | undefined): boolean {
  const { pattern, maximumLength } = emulatorDefinedLimits.plainKey;
  return typeof text === "string" && (text.length > maximumLength || !pattern.test(text));
}

/** Returns the JSON pointer of the first unsupported key in a body, if any. */
function findUnsupportedKey(json: JsonValue | undefined, pointer = ""): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const unsupported = keyFields.find((name) => isUnsupportedKey(getField(json, name)));
  if (unsupported !== undefined) return appendPointer(pointer, unsupported);
  for (const name of listFields) {
    const entries = getField(json, name);
    for (const [index, entry] of (isJsonArray(entries) ? entries : []).entries()) {
      const place = findUnsupportedKey(entry, appendPointer(appendPointer(pointer, name), index));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}
