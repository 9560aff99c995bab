import { describe, expect, it } from "vitest";
import {
  getSampleAnswers,
  getDefaultAnswer,
  groupNonDefaultAnswersByArea,
  gapIds,
  getGap,
} from "./register.js";

describe.each(gapIds)("gap %s", (id) => {
  const { question, choices, range, anyRefusal, route, name, samples = [], part } = getGap(id);

  it("asks a question about a part of the specification", () => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(question).toMatch(/\?( |$)/);
    expect(part).toMatch(/^\d(\.\d+)?( rule \d+)?$/);
  });

  it("has its default among the answers that tests try", () => {
    expect(getSampleAnswers(id)).toContainEqual(getDefaultAnswer(id));
  });

  it("has at least two answers to try, all different", () => {
    const tried = getSampleAnswers(id).map((answer) => JSON.stringify(answer));
    expect(tried.length).toBeGreaterThan(1);
    expect(tried).toEqual([...new Set(tried)]);
  });

  it("allows its samples as answers", () => {
    const refusals = anyRefusal ? { minimum: 400, maximum: 499 } : undefined;
    for (const sample of samples)
      if (typeof sample === "string") expect(route ?? name).toBeDefined();
      else
        expect(range ?? refusals).toSatisfy(
          (bounds: typeof range) => bounds !== undefined && within(sample, bounds),
        );
  });

  it("injects statuses if it is named for one", () => {
    if (!id.endsWith("-status")) return;
    expect(choices.filter((choice) => !Number.isInteger(choice) || Number(choice) < 200)).toEqual([]);
    expect(anyRefusal ?? range, "any status of its class is an answer").toBeTruthy();
  });
});

function within(sample: unknown, { minimum, maximum }: { minimum: number; maximum: number }): boolean {
  return Number.isInteger(sample) && Number(sample) >= minimum && Number(sample) <= maximum;
}

it("shows only the answers of a profile that differ from the default, by area", () => {
  expect(
    groupNonDefaultAnswersByArea({
      $origin: {},
      "sql-filtering": "always",
      "validation-status": 400,
      "rate-limit": 3,
    }),
  ).toEqual([
    { area: "HTTP", answers: [["rate-limit", 3]] },
    { area: "SQL", answers: [["sql-filtering", "always"]] },
  ]);
});

it("has an area for every gap", () => {
  const other = Object.fromEntries(gapIds.map((id) => [id, "another answer"]));
  expect(groupNonDefaultAnswersByArea(other).flatMap(({ answers }) => answers.map(([id]) => id))).toEqual(
    gapIds,
  );
});
