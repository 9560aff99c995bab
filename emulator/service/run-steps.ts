import { applyDueChanges } from "../world/apply-due-changes.js";
import { getTime } from "./respond.js";
import type { ServiceContext } from "./service-env.js";

/** A step on the way to an answer; what it refuses it throws. */
export type SyncStep = (c: ServiceContext) => void;

/**
 * Runs steps and a handler without an `await` between them, as there is between middleware: no other request comes between.
 *
 * @param handle makes the response, after the steps
 */
export function runSteps(
  steps: readonly SyncStep[],
  handle: (c: ServiceContext) => Response,
): (c: ServiceContext) => Response {
  return (c) => {
    for (const step of steps) step(c);
    return handle(c);
  };
}

/** Takes the time of a request, and does what time has brought about. */
export function takeTime(): SyncStep {
  return (c) => {
    applyDueChanges(c.get("world").store, getTime(c));
  };
}
