import { expect, it } from "vitest";
import { getSampleAnswers, gapIds } from "../../../openapi/gaps/register.js";
import { sampleProfiles } from "./sample-profiles.js";

it("generates profiles with every answer and almost every pair of answers, the same for the same seed", () => {
  const profiles = sampleProfiles(1, 100);
  expect(sampleProfiles(1, 100)).toEqual(profiles);
  for (const gap of gapIds)
    expect(new Set(profiles.map((profile) => JSON.stringify(profile[gap]))), gap).toEqual(
      new Set(getSampleAnswers(gap).map((answer) => JSON.stringify(answer))),
    );
  const gaps = gapIds.filter((gap) => !gap.endsWith("-route")).slice(0, 12);
  const pairs = new Set(
    profiles.flatMap((profile) =>
      gaps.flatMap((one, at) =>
        gaps.slice(at + 1).map((other) => [one, profile[one], other, profile[other]].join()),
      ),
    ),
  );
  const sizes = gaps.map((gap) => getSampleAnswers(gap).length);
  const all = sizes.flatMap((size, at) => sizes.slice(at + 1).map((other) => size * other));
  expect(pairs.size / all.reduce((sum, count) => sum + count)).toBeGreaterThan(0.98);
});
