import { describe, expect, it } from "vitest";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { emulatorLimits } from "../memory/limits.js";
import { getContract } from "./get-contract.js";

describe("contracts of profiles", () => {
  it("are created once, and the least recently used are dropped", () => {
    const profile = (milliseconds: number) => ({ ...defaultProfile, "database-ready": milliseconds });
    const first = getContract(profile(1));
    expect(getContract(profile(1))).toBe(first);
    for (let other = 2; other <= emulatorLimits.profiles; other += 1) getContract(profile(other));
    expect(getContract(profile(1))).toBe(first);
    for (let other = 2; other <= emulatorLimits.profiles + 1; other += 1) getContract(profile(other));
    expect(getContract(profile(1))).not.toBe(first);
  });
});
