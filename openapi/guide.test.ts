import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { clauses } from "./clauses/register.js";
import { getGap } from "./gaps/register.js";
import { completeProfile } from "./gaps/profile.js";

const guide = readFileSync(new URL("README.md", import.meta.url), "utf8").replaceAll(/\s+/g, " ");

describe("the guide of the contract", () => {
  it("shows a profile that the emulator accepts", () => {
    const profiles = readFileSync(new URL("guides/profiles.md", import.meta.url), "utf8");
    const [, example = ""] = /```json\n(.*?)```/s.exec(profiles) ?? [];
    expect(completeProfile(JSON.parse(example))).toHaveProperty("profile");
  });

  it("quotes a clause and a gap exactly", () => {
    const { part, statement } = clauses["ITEM-13"];
    expect(guide).toContain(`_ITEM-13, part ${part}: ${statement.replaceAll("`", "")}_`);
    expect(guide).toContain(`_put-item-route: ${getGap("put-item-route").question}_`);
  });
});
