import { isUtf8 } from "node:buffer";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { JsonValue } from "../json/json-value.js";
import { JsonError } from "../json/json-error.js";
import { exceedsJsonValueCount } from "../json/has-more-values.js";
import { parseJson } from "../json/parse-json.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";

const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/**
 * Reads a JSON body without loss.
 *
 * @returns undefined for an empty body
 * @throws problems `unsupported-media-type`, `request-too-large`, `malformed-body`, `validation-failed`
 */
export function parseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  profile: Profile,
): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  if (profile["content-type"] === "refuse" && (contentType === undefined || !json.test(contentType)))
    throw new Problem(
      "unsupported-media-type",
      `Send the body as JSON with \`Content-Type: application/json\`${contentType === undefined ? "" : `, not ${contentType}`}.`,
    );
  if (exceedsJsonValueCount(bytes, emulatorDefinedLimits.jsonValues))
    throw new Problem(
      "request-too-large",
      `A request body can contain at most ${emulatorDefinedLimits.jsonValues} JSON values, including those in arrays and ` +
        "objects. Each field of an object counts as three values.",
    );
  if (!isUtf8(bytes)) throw new Problem("malformed-body", "The body is not valid UTF-8 text.");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    return parseJson(text, { maxDepth: emulatorDefinedLimits.jsonDepth });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.kind === "syntax")
      throw new Problem("malformed-body", `The body is not valid JSON: ${error.message}.`);
    throw createInvalidBodyProblem("", error.message);
  }
}
