import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Fetch } from "../../conformance/client/exchange.js";
import { type Observation, observeGaps } from "../../conformance/observe/observation.js";
import { type GapId, gapIds } from "../../openapi/gaps/register.js";
import { ObservedEmulator } from "../development/observe/observed-emulator.js";
import { createOddBodyFetch } from "./testing/send-odd-bodies.js";

/** Observers that send many or large requests, and do not read the bodies of responses. */
const costly: readonly GapId[] = ["page-limit-max", "rate-limit", "request-bytes-max", "too-large-status"];

let emulator: ObservedEmulator;
beforeAll(async () => {
  emulator = await ObservedEmulator.prepare();
});
afterAll(() => emulator.close());

function observed(only: readonly GapId[], wrap: (fetch: Fetch) => Fetch): Promise<readonly Observation[]> {
  return emulator.withRun({}, async (run) => observeGaps(run, { only }), wrap);
}

/** Changes the bodies of successful responses to requests whose path ends in the given text. */
function rewriteBodies(end: string, rewrite: (body: unknown) => unknown): (fetch: Fetch) => Fetch {
  return (fetch) => async (url, init) => {
    const response = await fetch(url, init);
    if (!new URL(url).pathname.endsWith(end) || !response.ok) return response;
    const { status, headers } = response;
    return new Response(JSON.stringify(rewrite(await response.json())), { status, headers });
  };
}

it.each<readonly [GapId, Observation["kind"], string, (body: unknown) => unknown]>([
  ["plan-route", "answer", "/plans", (plans) => ({ catalogue: plans })],
  ["plan-route", "undecided", "/plans", () => ({ catalogue: null })],
  ["transact-get-item", "undecided", "/transact/get", () => ({ items: [] })],
])("the observer of %s says %s if a response has another form at %s", async (gap, kind, end, rewrite) => {
  const found = await observed([gap], rewriteBodies(end, rewrite));
  const of = found.find((observation) => observation.gap === gap);
  expect(of).toMatchObject({ kind });
  expect(JSON.stringify(of)).not.toContain("Error:");
});

it("no observer fails on any response that the contract allows", async () => {
  const only = gapIds.filter((gap) => !costly.includes(gap));
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), async (numbers) => {
      const random = () => numbers.next().value as number;
      // if users cannot log in or organizations are not listed, there is nothing to observe
      const found = await observed(only, (fetch) => {
        const odd = createOddBodyFetch(fetch, random, 0.3);
        return (url, init) => (/\/(organizations|auth\/.*)$/.test(url) ? fetch(url, init) : odd(url, init));
      });
      const failed = found.filter(
        (one) => "reason" in one && one.reason.includes("the check threw an error"),
      );
      expect(failed.map(({ gap, ...rest }) => [gap, "reason" in rest ? rest.reason : ""])).toEqual([]);
    }),
    { numRuns: 2, endOnFailure: true },
  );
});
