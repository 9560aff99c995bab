import { expect, it } from "vitest";
import { RunError } from "../client/violation.js";
import { formatAcceptedCauses, parseAcceptedCauses } from "./accepted-causes.js";

it("reads what it writes, and keeps the given reasons", () => {
  const before = [{ cause: "Problem.traceId: only on the first side", reason: "a gateway adds it" }];
  const causes = [
    "status: 404 on the first side, 410 on the second",
    "Problem.traceId: only on the first side",
  ];
  const found = causes.map((cause) => ({ cause, breaks: ["GEN-01"] }));
  const read = parseAcceptedCauses(formatAcceptedCauses(found, before), "differences.yaml");
  expect(read.map(({ cause }) => cause)).toEqual(causes.toSorted());
  expect(read).toContainEqual({ ...before[0], breaks: ["GEN-01"] });
});

it.each([
  "accepted: [",
  "accepted: &a [*a]",
  "accepted: *a",
  "- a",
  "accepted: [{ cause: a }]",
  "accepted: [{ cause: a, reason: ' ' }]",
])("refuses %s", (text) => {
  expect(() => parseAcceptedCauses(text, "differences.yaml")).toThrow(RunError);
});
