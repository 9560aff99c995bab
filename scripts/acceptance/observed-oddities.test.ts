import { afterAll, beforeAll, expect, it } from "vitest";
import { type Observation, observe } from "../../conformance/observe/observation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { GapId } from "../../openapi/gaps/register.js";
import { ObservedEmulator } from "../development/observe/observed-emulator.js";
import {
  inOneRegion,
  loginWhereLast,
  type Oddity,
  plainSql,
  refusalsByKind,
  secondsRespelled,
  shuffledEntities,
} from "./odd-deployments.js";

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

it("asks for rows by no SQL that the specification does not show", async () => {
  const profile = {
    "item-count": "items-entities-and-rows",
    "sql-write-row-count": "zero",
    "sql-default-limit": 20,
  } as const;
  const found = await observed(Object.keys(profile) as GapId[], plainSql(), profile);
  for (const { gap, ...rest } of found)
    expect([gap, rest]).toMatchObject([
      gap,
      { kind: "answer", answer: profile[gap as keyof typeof profile] },
    ]);
});

it("tells the statuses of refusals that differ by what is refused", async () => {
  const [found] = await observed(["forbidden-status"], refusalsByKind(405));
  expect(found).toMatchObject({
    kind: "other",
    seen: expect.stringContaining("updateOrganization: 405") as string,
  });
});

it("does not take one region for all of them", async () => {
  const found = await observed(["region-list"], inOneRegion("eu-west-1"));
  expect(found.find(({ gap }) => gap === "region-list")).toMatchObject({ kind: "undecided" });
});

it("tells a login for the organization that was worked in last from one for the first", async () => {
  const found = await observed(["login-organization"], loginWhereLast(), {
    "login-organization": "first-joined",
  });
  expect(found).toMatchObject([{ gap: "login-organization", kind: "other" }]);
});
