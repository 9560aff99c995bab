import type { Profile } from "../../../openapi/gaps/profile.js";
import { contractOf } from "./fuzz-contract.js";
import { needsOwnConnection } from "./fuzz-request.js";
import type { Batch, BatchSource } from "./fuzz-round.js";
import { LiveState } from "./live-state.js";
import { makeRequest } from "./make-request.js";
import { mutateRequest, spoilRequest } from "./mutate-request.js";
import type { Random } from "./random.js";

/** How many requests a round has. */
export const requestsPerRound = 2000;
const requestsPerBatch = 32;

/** Requests of a round at random: batches of valid and changed ones, and single ones that are to change nothing. */
export function randomBatches(
  random: Random,
  profile: Profile,
  stateFile: Uint8Array,
  length: number,
  mayFault: boolean,
): BatchSource {
  const live = new LiveState();
  const making = { random, live, contract: contractOf(profile), stateFile, mayFault };
  let left = length;
  return {
    learn: (body) => live.learn(body),
    next: (): Batch | undefined => {
      if (left === 0) return undefined;
      if (random.once(8)) {
        left -= 1;
        return { requests: [spoilRequest(makeRequest(making), random, live)], compares: true };
      }
      // where connections may be broken off, nobody can say which of many were answered
      const count = Math.min(left, mayFault ? 1 : requestsPerBatch);
      left -= count;
      const requests = Array.from({ length: count }, () => mutateRequest(makeRequest(making), random, live));
      // in the order in which they are sent
      return {
        requests: [
          ...requests.filter((request) => !needsOwnConnection(request)),
          ...requests.filter(needsOwnConnection),
        ],
      };
    },
  };
}
