import type { ClauseId } from "../clauses/register.js";
import type { GapId } from "../gaps/register.js";
import { statements } from "./register.js";

/** The gaps that statements of the specification leave beside a clause. */
export function gapsBeside(clause: ClauseId): readonly GapId[] {
  const found = statements
    .filter(({ clauses = [] }) => clauses.includes(clause))
    .flatMap(({ gaps = [] }) => gaps);
  return [...new Set(found)];
}
