import { describe, expect, it } from "vitest";
import { checks } from "../../../conformance/checks/register.js";
import type { Mutant } from "../../../conformance/mutants/mutant.js";
import { mutants } from "../../../conformance/mutants/register.js";
import { replayMutant, type SelfTestOptions, testMutant } from "../../../conformance/mutants/self-test.js";
import { createEmulator } from "../../../emulator/api/emulator.js";

const options: SelfTestOptions = {
  checks,
  seed: 1,
  runs: 10,
  subject: async () => {
    const emulator = await createEmulator();
    return { url: "http://localhost", fetch: emulator.fetch, close: emulator.close };
  },
};

function named(id: string): Mutant {
  const mutant = mutants.find((known) => known.id === id);
  if (mutant === undefined) throw new Error(`there is no mutant ${id}`);
  return mutant;
}

describe("replaying a failure of the self-test", () => {
  it.each([
    // each run uses new names
    "databases/created-at-a-day-off",
    "databases/getDatabase-settings-of-another-type",
    "sql/garbage-taken",
    // each run has new tokens
    "session/signature-unread",
    // the resources that checks share were created before the failed check
    "sql/row-count-at-least-one",
    "access/everybody-invites",
    "members/listMembers-members-status-of-another-type",
    "organizations/stale-list",
  ])("is the same with %s", async (id) => {
    const found = await testMutant(named(id), options);
    expect(found.outcome).toBe("killed");
    const again = await replayMutant(named(id), found, options);
    expect(again).toEqual({});
  });

  it("is the same with a mutant that needs the requests before it", async () => {
    const mutant = named("billing/plan-of-first-look");
    const found = await testMutant(mutant, options);
    expect(found.outcome).toBe("killed");
    const again = await replayMutant(mutant, found, options);
    expect(again).toEqual({ byWholeCheck: true });
  });

  it("differs if the clause, the input or a response differs", async () => {
    const mutant = named("plans/unknown-is-free");
    const found = await testMutant(mutant, options);
    const differenceTo = async (wrap: Mutant["wrap"], known = found) =>
      (await replayMutant({ wrap }, known, options)).difference;
    expect(await differenceTo(mutant.wrap)).toBeUndefined();
    expect(await differenceTo((fetch) => fetch)).toBe("the check passed");
    expect(await differenceTo(mutant.wrap, { ...found, blamed: "BILL-20" })).toMatch(
      /^BILL-\d+ was blamed in place of BILL-20$/,
    );
    expect(found.case).toMatch(/^plans\/single\nproperty 0, text: ".+"\nanonymous getPlan \(invalid\) 200$/);
    for (const other of [found.case?.replace(/200$/, "201"), found.case?.replace("property 0", "property 1")])
      expect(await differenceTo(mutant.wrap, { ...found, case: other ?? "" })).toContain(" in place of ");
  });
});
