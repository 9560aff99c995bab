import type { ClauseId } from "../../openapi/clauses/register.js";

/** Clauses that nobody can observe from outside, with the reason. */
export const unobservableClauses: Readonly<Partial<Record<ClauseId, string>>> = {};
