import { applyDueChanges } from "../world/apply-due-changes.js";
import { getTime } from "./respond.js";
import type { ServiceContext } from "./service-env.js";

/** A step before a handler. It throws to refuse the request. */
export type SyncStep = (c: ServiceContext) => void;

/**
 * Runs steps and a handler without an `await` in between, unlike middleware, so that no other request interleaves.
 *
 * @param handle makes the response, after the steps
 */
export function composeSteps(
  steps: readonly SyncStep[],
  handle: (c: ServiceContext) => Response,
): (c: ServiceContext) => Response {
  return (c) => {
    for (const step of steps) step(c);
    return handle(c);
  };
}

/** Determines the time of a request, and applies what is due. */
export function advanceToRequestTime(): SyncStep {
  return (c) => {
    applyDueChanges(c.get("world").store, getTime(c));
  };
}
