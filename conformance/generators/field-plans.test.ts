import fc from "fast-check";
import { expect, it } from "vitest";
import { findSchemaFaults } from "../models/repository-schema.js";
import {
  buildEntityCases,
  examplePlans,
  buildField,
  declareContents,
  fieldPlan,
  fieldPlans,
  type FieldWrapper,
  wrapField,
} from "./field-plans.js";

it("generates data that fit their schema, and data that break it in exactly one place", () => {
  const wrappers = fc.array(fc.constantFrom<FieldWrapper>("items", "properties"), { maxLength: 3 });
  fc.assert(
    fc.property(fieldPlans, fieldPlan, wrappers, fc.nat(2), (plans, inner, around, position) => {
      const { schema, cases } = buildEntityCases([
        ...plans.map(buildField),
        { ...wrapField(buildField(inner), around, position), name: "wrapped" },
      ]);
      for (const { data, refused } of cases)
        for (const each of [schema, declareContents(schema)])
          expect(findSchemaFaults(each, data), refused).toHaveLength(refused === undefined ? 0 : 1);
    }),
    { numRuns: 60 },
  );
});

it("tries every clause about schemas in its examples", () => {
  const clauses = new Set(
    examplePlans.flatMap((plan) => buildEntityCases([buildField(plan)]).cases.map(({ clause }) => clause)),
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
