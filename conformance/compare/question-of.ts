import type { GapId } from "../../openapi/gaps/register.js";
import { isGapId } from "../../openapi/gaps/profile.js";
import { readBody } from "../client/json-text.js";
import type { Difference } from "./run-history.js";
import type { AnswerSchemas } from "./schema-of-answer.js";

/** A difference that histories of more questions than this show is about none of them, unless the contract says so. */
const mostQuestions = 3;

/**
 * The question of the profile that a difference is about: one whose history shows it, and that the contract names where
 * the answers differ. Where it names none, one of the few whose histories show it: the one that shows least beside it.
 *
 * @param histories all that have shown a difference of the kind
 * @param kindsOf how many kinds of differences a history has shown
 */
export function questionOf(
  difference: Difference,
  histories: readonly string[],
  kindsOf: (history: string) => number,
  schemas: AnswerSchemas,
): GapId | undefined {
  const shown = histories
    .filter((id) => id.startsWith("gaps/"))
    .toSorted((a, b) => kindsOf(a) - kindsOf(b))
    .map((id) => id.slice("gaps/".length))
    .filter((id) => isGapId(id));
  const named = namedAt(difference, schemas);
  return shown.find((gap) => named.has(gap)) ?? (shown.length <= mostQuestions ? shown[0] : undefined);
}

/** The questions that the contract names on the way to where two answers differ. */
function namedAt(
  { operationId, statuses, pointer, exchanges }: Difference,
  schemas: AnswerSchemas,
): ReadonlySet<GapId> {
  const named = new Set<GapId>();
  if (operationId === undefined) return named;
  exchanges.forEach(({ answer }, side) => {
    const status = statuses[side] ?? 0;
    for (const gap of schemas.gapsOf(operationId, status)) named.add(gap);
    let place = schemas.bodyOf(operationId, status);
    let value = readBody(answer?.body ?? "");
    for (const segment of pointer.split("/").slice(1)) {
      const { members, items, gaps = [] } = place(value);
      for (const gap of gaps) named.add(gap);
      const next = members?.get(segment) ?? items;
      if (next === undefined) return;
      place = next;
      value = (value as Record<string, unknown> | null | undefined)?.[segment];
    }
    for (const gap of place(value).gaps ?? []) named.add(gap);
  });
  return named;
}
