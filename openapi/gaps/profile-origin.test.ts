import { describe, expect, it } from "vitest";
import { completeProfile } from "./profile.js";
import { describeProfileOrigin, getProfileOrigin } from "./profile-origin.js";

const $origin = {
  deployment: "https://a.example",
  observed: "2026-01-02",
  contract: "0.1.0",
  open: ["duplicate-slug"],
};

describe("the origin of a profile", () => {
  it("is not an answer, and is described in one line", () => {
    const completed = completeProfile({ $origin, "validation-status": 422 });
    expect(completed).toMatchObject({ profile: { "validation-status": 422 } });
    expect("profile" in completed && "$origin" in completed.profile).toBe(false);
    expect(describeProfileOrigin(getProfileOrigin({ $origin }) ?? expect.fail("it has one"))).toBe(
      "observed at https://a.example on 2026-01-02, contract 0.1.0; gaps without an observed answer: 1",
    );
  });

  it.each([1, {}, { ...$origin, observed: "yesterday" }, { ...$origin, secret: "x" }])(
    "cannot be %j",
    (given) => {
      expect(getProfileOrigin({ $origin: given })).toBeUndefined();
      expect(completeProfile({ $origin: given })).toMatchObject({ mistakes: [{ gap: "$origin" }] });
    },
  );
});
