import { createHash } from "node:crypto";
import { limits } from "../../openapi/clauses/limits.js";
import { toCanonicalJson } from "../json/stringify-json.js";
import type { JsonValue } from "../json/json-value.js";
import { rawJson, stringifyBody } from "../json/stringify-body.js";
import { emulatorLimits } from "../memory/limits.js";
import { createInvalidBodyProblem, Problem } from "../domain/problem.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { HandlerContext } from "./handler.js";

interface TransactionRequest {
  readonly body: { readonly clientRequestToken?: string };
  readonly json: JsonValue | undefined;
}

interface TransactionResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Runs a transaction, or returns the stored response to an earlier request with the same `clientRequestToken` (4.2 rule 12).
 * Responses are stored for 10 minutes of the emulator's time, by database and kind, also those of failed transactions;
 * problems are not.
 *
 * @throws problems `validation-failed` for a token that was used with a different body;
 *   `transaction-too-large` for a response that is too long to store
 */
export function runOncePerToken<Response extends TransactionResponse>(
  kind: "get" | "write",
  { body, json }: TransactionRequest,
  { ref }: DatabaseSummary,
  { store, now }: HandlerContext,
  run: () => Response,
): Response {
  const token = body.clientRequestToken;
  if (token === undefined || json === undefined) return run();
  const bodyHash = createHash("sha256").update(toCanonicalJson(json)).digest("base64");
  store.transactionTokens.removeExpired(now);
  const known = store.transactionTokens.find(ref, kind, token);
  if (known !== undefined) {
    if (known.bodyHash !== bodyHash)
      throw createInvalidBodyProblem(
        "/clientRequestToken",
        "was used with a different body in the last 10 minutes; use a new token",
      );
    return { status: known.status, body: rawJson(known.body) } as unknown as Response;
  }
  const response = run();
  const text = stringifyBody(response.body);
  rejectAboveTokenStorage(text, store);
  store.transactionTokens.insert({
    databaseRef: ref,
    kind,
    token,
    bodyHash,
    status: response.status,
    body: text,
    expiresAt: now + limits.transactionTokenMs,
  });
  return response;
}

/** Shorter responses are not limited, because they take no more memory than stored items. */
const maxShortLength = 64 * 1024;

/** Limits stored responses, because short requests with new tokens can get long responses. */
function rejectAboveTokenStorage(response: string, store: HandlerContext["store"]): void {
  if (response.length <= maxShortLength) return;
  const isTooLong = response.length > emulatorLimits.tokenAnswer;
  if (isTooLong || store.transactionTokens.characters() + response.length > emulatorLimits.tokenAnswers)
    throw new Problem(
      "transaction-too-large",
      `The response has ${response.length} characters, but the emulator stores at most ${emulatorLimits.tokenAnswer} ` +
        `characters for one client request token, and ${emulatorLimits.tokenAnswers} characters for all tokens used in ` +
        "the last 10 minutes. Omit the token, or advance the clock.",
    );
}
