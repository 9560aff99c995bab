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

/** Refuses keys of items that are not plain, if the profile does not support others (gap `key-characters`). */
export function rejectUnsupportedItemKeys(
  { path, json }: Given,
  { operationId }: Pick<MountedOperation, "operationId">,
  profile: Profile,
): void {
  if (profile["key-characters"] !== "plain" || !operationId.includes("Item")) return;
  const name = keyMembers.find((parameter) => isUnsupportedKey(path[parameter]));
  if (name !== undefined) throw new Problem("malformed-request", `The ${name} in the path ${plainDetail}.`);
  const place = findUnsupportedKey(json);
  if (place !== undefined) throw createInvalidBodyProblem(place, plainDetail);
}

/** The objects that contain keys of items: the body itself, or the entries of a batch or transaction. */
const keyMembers = ["pk", "sk", "partitionKey"] as const;
const entryMembers = ["items", "keys"] as const;
const plainDetail = `must consist of at most ${emulatorDefinedLimits.plainKey.maximumLength} characters from A-Z, a-z, 0-9 and - _ . : # @ ~`;

function isUnsupportedKey(text: JsonValue | undefined): boolean {
  const { pattern, maximumLength } = emulatorDefinedLimits.plainKey;
  return typeof text === "string" && (text.length > maximumLength || !pattern.test(text));
}

/** Returns the JSON pointer of the first key in a body that is not plain; undefined if all are. */
function findUnsupportedKey(json: JsonValue | undefined, pointer = ""): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const odd = keyMembers.find((name) => isUnsupportedKey(getField(json, name)));
  if (odd !== undefined) return appendPointer(pointer, odd);
  for (const name of entryMembers) {
    const entries = getField(json, name);
    for (const [index, entry] of (isJsonArray(entries) ? entries : []).entries()) {
      const place = findUnsupportedKey(entry, appendPointer(appendPointer(pointer, name), index));
      if (place !== undefined) return place;
    }
  }
  return undefined;
}
