import type { ClauseId } from "../../openapi/clauses/register.js";

/** Clauses that nobody can observe from outside, with the reason. */
export const unobservable: Readonly<Partial<Record<ClauseId, string>>> = {};
