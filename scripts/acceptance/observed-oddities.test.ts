import { afterAll, beforeAll, expect, it } from "vitest";
import { type Observation, observe } from "../../conformance/observe/observation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { GapId } from "../../openapi/gaps/register.js";
import { ObservedEmulator } from "../development/observe/observed-emulator.js";
import { type Oddity, secondsRespelled, shuffledEntities } from "./odd-deployments.js";

let emulator: ObservedEmulator;
beforeAll(async () => {
  emulator = await ObservedEmulator.prepare();
});
afterAll(() => emulator.close());

function observed(
  only: readonly GapId[],
  oddity: Oddity,
  profile: Partial<Profile> = {},
): Promise<readonly Observation[]> {
  return emulator.withRun(profile, async (run) => observe(run, { only }), oddity);
}

it.each<Partial<Profile>>([
  {
    "item-updated-at": "each-put",
    "created-at-on-replace": "kept",
    "unchanged-entity": "updates",
    "repeated-invitation": "reject",
    "usage-period": "billing-period",
    "free-plan-expiry": "period-end",
  },
  {
    "item-updated-at": "when-data-changes",
    "created-at-on-replace": "reset",
    "unchanged-entity": "nothing",
    "repeated-invitation": "renew",
    "usage-period": "to-date",
    "free-plan-expiry": "null",
  },
])("times of whole seconds, spelled anew in each answer, are compared as instants: %j", async (profile) => {
  const only = Object.keys(profile) as GapId[];
  const found = await observed(only, secondsRespelled(), profile);
  const answers = found.flatMap((one) => (one.kind === "answer" ? [[one.gap, one.answer] as const] : []));
  expect(Object.fromEntries(answers)).toMatchObject(profile);
});

it("a list that comes in another order each time has none, whatever the first look shows", async () => {
  const [found] = await observed(["entity-list-order"], shuffledEntities());
  expect(found).toMatchObject({ gap: "entity-list-order", kind: "other" });
});
