import { expect, it } from "vitest";
import { getSampleAnswers, gapIds } from "../../../openapi/gaps/register.js";
import { createProfilesToObserve } from "./profiles-to-observe.js";

it("covers every compatible pair of answers, the same for the same seed", () => {
  const profiles = createProfilesToObserve(1);
  expect(createProfilesToObserve(1)).toEqual(profiles);
  const [first, second, ...others] = gapIds.filter((gap) => !gap.endsWith("-route")).slice(0, 12);
  for (const gap of [first, second])
    for (const other of others)
      for (const answer of getSampleAnswers(gap ?? "size-unit"))
        for (const beside of getSampleAnswers(other))
          expect(
            profiles.some((profile) => profile[gap ?? "size-unit"] === answer && profile[other] === beside),
            `${gap}: ${String(answer)}, ${other}: ${String(beside)}`,
          ).toBe(true);
});
