import { operationIds } from "../../openapi/operations/register.js";
import type { Area } from "../check/check.js";
import { isWrite } from "../client/read-lag.js";
import { type WireAnswer, type Tamper, intercept } from "./intercept.js";
import type { Variant } from "./mutant.js";

/**
 * Answers of a replica that learns of writes some milliseconds late: what was asked before is answered as it was then.
 */
export function laggingReads(lagMs: number): Tamper {
  let lastWrite = -Infinity;
  const answered = new Map<string, WireAnswer>();
  return async (wire) => {
    const { operationId, path, query, body, credential } = wire;
    if (isWrite("POST", body, operationId)) {
      const answer = await wire.send();
      lastWrite = Date.now();
      return answer;
    }
    const asked = JSON.stringify([operationId, path, query, body, credential]);
    const before = answered.get(asked);
    if (before !== undefined && Date.now() - lastWrite < lagMs) return before;
    const answer = await wire.send();
    answered.set(asked, answer);
    return answer;
  };
}

const lagMs = 3;

/** Deployments whose reads lag, and that say so. */
export const laggingVariants: readonly Variant[] = (
  ["preconditions", "items", "entities", "databases", "sql"] satisfies Area[]
).map((area) => ({
  id: `${area}/lagging-reads`,
  readLagMs: lagMs + 2,
  wrap: (fetch) => intercept(fetch, operationIds, laggingReads(lagMs)),
}));
