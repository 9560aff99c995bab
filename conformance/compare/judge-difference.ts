import { clauseIds, type ClauseId } from "../../openapi/clauses/register.js";
import { type GapId } from "../../openapi/gaps/register.js";
import type { Check } from "../check/check.js";
import { blame } from "../client/answer-clauses.js";
import { openContract } from "../client/contracts.js";
import { readBody } from "../client/json-text.js";
import type { Exchange } from "../client/exchange.js";
import type { Run } from "../run/runner.js";
import type { Difference } from "./run-history.js";

/** What the specification says about a difference. */
export type Judgement =
  /** One of the sides breaks a clause, or each of them does. */
  | { readonly kind: "clause"; readonly first?: ClauseId; readonly second?: ClauseId }
  /** The specification leaves it open, and the question is a known one. */
  | { readonly kind: "gap"; readonly gap: GapId }
  /** No clause decides, and nobody has asked: a gap that is not known yet. */
  | { readonly kind: "open" };

/**
 * Judges a difference: by the contract, and by the check that its history comes from, which is run on both sides.
 *
 * @param checks those whose histories were run
 * @param ask which question the difference is about, if it is about one
 */
export async function judgeDifference(
  difference: Difference,
  runs: readonly [Run, Run],
  checks: readonly Check[],
  ask: () => GapId | undefined,
): Promise<Judgement> {
  const { operationId, exchanges, history } = difference;
  const [first, second] = exchanges.map((exchange) =>
    operationId === undefined ? undefined : brokenBy(exchange, operationId),
  );
  if (first !== undefined || second !== undefined) return clauses(first, second);
  const check = checks.find(({ id }) => id === history.id);
  if (check !== undefined) {
    const [mine, theirs] = [
      await failureOf(runs[0], check, difference, 0),
      await failureOf(runs[1], check, difference, 1),
    ];
    if (mine !== undefined || theirs !== undefined) return clauses(mine, theirs);
  }
  const gap = ask();
  return gap === undefined ? { kind: "open" } : { kind: "gap", gap };
}

function clauses(first: ClauseId | undefined, second: ClauseId | undefined): Judgement {
  return {
    kind: "clause",
    ...(first === undefined ? {} : { first }),
    ...(second === undefined ? {} : { second }),
  };
}

/** The clause that a check finds broken, where what it has seen is what differs. */
async function failureOf(
  run: Run,
  check: Check,
  { operationId, statuses }: Difference,
  side: 0 | 1,
): Promise<ClauseId | undefined> {
  const { failure } = await run.check({ ...check, after: [] });
  const last = failure?.exchanges.at(-1);
  const isIt = last?.operationId === operationId && last?.answer?.status === statuses[side];
  return isIt ? failure?.clause : undefined;
}

/** The clause that an answer breaks by itself. */
function brokenBy(
  { answer }: Exchange,
  operationId: NonNullable<Difference["operationId"]>,
): ClauseId | undefined {
  if (answer === undefined) return undefined;
  const { status, headers, body } = answer;
  const [violation] = openContract().validator.response(operationId, {
    status,
    header: (name) => headers[name],
    body: readBody(body),
  });
  if (violation === undefined) return undefined;
  const clause = blame(operationId, status, violation);
  return clauseIds.includes(clause) ? clause : undefined;
}
