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

interface TransactionAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Runs a transaction, or answers what it answered before under the same `clientRequestToken` (4.2 rule 12). A
 * token is remembered for 10 minutes of the emulator's time, per database and kind; refused requests are not, and those
 * of failed transactions as the profile says (gap `failed-transaction-token`).
 *
 * @throws a problem `validation-failed` for a token that came with another body, where the profile refuses it;
 *   `transaction-too-large` for an answer that there is no room to remember
 */
export function runOncePerToken<Answer extends TransactionAnswer>(
  kind: "get" | "write",
  { body, json }: TransactionRequest,
  { ref }: DatabaseSummary,
  { store, now, profile }: HandlerContext,
  run: () => Answer,
): Answer {
  const token = body.clientRequestToken;
  if (token === undefined || json === undefined) return run();
  const bodyHash = createHash("sha256").update(toCanonicalJson(json)).digest("base64");
  store.transactionTokens.forget(now);
  const known = store.transactionTokens.find(ref, kind, token);
  if (known !== undefined) {
    if (known.bodyHash !== bodyHash && profile["token-reuse-other-body"] === "reject")
      throw createInvalidBodyProblem(
        "/clientRequestToken",
        "was used with a different body in the last 10 minutes; use a new token",
      );
    return { status: known.status, body: rawJson(known.body) } as unknown as Answer;
  }
  const answer = run();
  if (hasFailed(answer) && profile["failed-transaction-token"] === "executed-again") return answer;
  const text = stringifyBody(answer.body);
  rejectAboveTokenStorage(text, store);
  store.transactionTokens.insert({
    databaseRef: ref,
    kind,
    token,
    bodyHash,
    status: answer.status,
    body: text,
    expiresAt: now + limits.transactionTokenMs,
  });
  return answer;
}

function hasFailed({ body }: TransactionAnswer): boolean {
  // a transact get has none
  const { errors } = body as { readonly errors?: readonly unknown[] | null };
  return (errors ?? []).length > 0;
}

/** Shorter responses are not counted: they take no more memory than the items that a client may store. */
const longResponseLength = 64 * 1024;

/** A short request may ask for a very long answer, again and again under new tokens. */
function rejectAboveTokenStorage(answer: string, store: HandlerContext["store"]): void {
  if (answer.length <= longResponseLength) return;
  const isTooLong = answer.length > emulatorLimits.tokenAnswer;
  if (isTooLong || store.transactionTokens.characters() + answer.length > emulatorLimits.tokenAnswers)
    throw new Problem(
      "transaction-too-large",
      `The response has ${answer.length} characters, but the emulator stores at most ${emulatorLimits.tokenAnswer} ` +
        `characters for one client request token, and ${emulatorLimits.tokenAnswers} characters for all tokens used in ` +
        "the last 10 minutes. Omit the token, or advance the clock.",
    );
}
