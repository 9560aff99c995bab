import fc from "fast-check";
import { expect, it } from "vitest";
import { faultsOf } from "../models/repository-schema.js";
import {
  casesOf,
  examplePlans,
  fieldOf,
  fieldPlan,
  fieldPlans,
  type Wrapper,
  wrapped,
} from "./field-plans.js";

it("generates data that fit their schema, and data that break it in exactly one place", () => {
  const wrappers = fc.array(fc.constantFrom<Wrapper>("items", "properties"), { maxLength: 3 });
  fc.assert(
    fc.property(fieldPlans, fieldPlan, wrappers, fc.nat(2), (plans, inner, around, position) => {
      const { schema, cases } = casesOf([
        ...plans.map(fieldOf),
        { ...wrapped(fieldOf(inner), around, position), name: "wrapped" },
      ]);
      for (const { data, refused } of cases)
        expect(faultsOf(schema, data), refused).toHaveLength(refused === undefined ? 0 : 1);
    }),
    { numRuns: 60 },
  );
});

it("tries every clause about schemas in its examples", () => {
  const clauses = new Set(
    examplePlans.flatMap((plan) => casesOf([fieldOf(plan)]).cases.map(({ clause }) => clause)),
  );
  expect([...clauses].sort()).toEqual([
    "REPO-10",
    "REPO-11",
    "REPO-12",
    "REPO-13",
    "REPO-14",
    "REPO-15",
    "REPO-16",
    "REPO-18",
    "REPO-20",
  ]);
});
