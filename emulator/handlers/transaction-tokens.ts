import { createHash } from "node:crypto";
import { limits } from "../../openapi/limits.js";
import { canonicalJson } from "../json/canonical-json.js";
import type { JsonValue } from "../json/json-value.js";
import { rawJson } from "../json/raw-json.js";
import { writeBody } from "../json/write-body.js";
import { invalidBody } from "../problem.js";
import type { DatabaseIdentity } from "../store/databases.js";
import type { Context } from "./handler.js";

interface TransactionRequest {
  readonly body: { readonly clientRequestToken?: string };
  readonly json: JsonValue | undefined;
  readonly bytes?: Uint8Array | undefined;
}

interface TransactionAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Runs a transaction, or answers what it answered before under the same `clientRequestToken` (4.2 rule 12). A
 * token is remembered for 10 minutes of the emulator's time, per database and kind; refused requests are not.
 *
 * @throws a problem `validation-failed` for a token that came with another body, where the profile refuses it
 */
export function answerOnce<Answer extends TransactionAnswer>(
  kind: "get" | "write",
  { body, json, bytes }: TransactionRequest,
  { ref }: DatabaseIdentity,
  { store, now, profile }: Context,
  run: () => Answer,
): Answer {
  const token = body.clientRequestToken;
  if (token === undefined || json === undefined) return run();
  const repeatable =
    bytes !== undefined && profile["token-same-request"] === "same-bytes" ? bytes : canonicalJson(json);
  const bodyHash = createHash("sha256").update(repeatable).digest("base64");
  store.transactionTokens.forget(now);
  const known = store.transactionTokens.find(ref, kind, token);
  if (known !== undefined) {
    if (known.bodyHash !== bodyHash && profile["token-reuse-other-body"] === "reject")
      throw invalidBody(
        "/clientRequestToken",
        "was used with another body in the last 10 minutes; use a new token",
      );
    return { status: known.status, body: rawJson(known.body) } as unknown as Answer;
  }
  const answer = run();
  store.transactionTokens.insert(ref, kind, token, {
    bodyHash,
    status: answer.status,
    body: writeBody(answer.body),
    expiresAt: now + limits.transactionTokenMs,
  });
  return answer;
}
