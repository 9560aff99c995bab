import type { ClauseId } from "../../openapi/clauses/register.js";

/** Clauses that no client can observe from outside, with the reasons. */
export const unobservableClauses: Readonly<Partial<Record<ClauseId, string>>> = {};
