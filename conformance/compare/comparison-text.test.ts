import { describe, expect, it } from "vitest";
import type { CompareReport, ReportedDifference } from "./compare-report.js";
import { comparisonText } from "./comparison-text.js";

function difference(operation: string): ReportedDifference {
  const answer = (status: number) => ({ status, body: `{\n  "status": ${status}\n}\n` });
  return {
    operation,
    statuses: [404, 410],
    place: "status",
    detail: "another status",
    first: "404",
    second: "410",
    count: 1,
    history: "items/put-get-delete",
    title: "Items",
    cameBack: true,
    judgement: { kind: "open", text: "No clause decides." },
    steps: [{ caller: "owner", method: "GET", url: "/items/a", first: answer(404), second: answer(410) }],
    scripts: { first: "", second: "" },
  };
}

function report(differences: readonly ReportedDifference[]): CompareReport {
  return {
    verdict: "different",
    sides: [
      { title: "one", baseUrl: "http://one.example" },
      { title: "other", baseUrl: "http://other.example" },
    ],
    figure: { operations: 51, compared: 51, different: 1, answers: 100, passing: 0 },
    differences,
    given: [],
    leftOut: [],
    troubles: [],
    left: [],
  } as unknown as CompareReport;
}

describe("a comparison for a terminal", () => {
  it("has bodies in one line, also where a deployment indents them", () => {
    const text = comparisonText(report([difference("getItem")]));
    expect(text).toContain('     first   404 { "status": 404 }\n     second  410 { "status": 410 }\n');
  });

  it("tells so many differences whole, and of the others how many there are", () => {
    const whole = Array.from({ length: 20 }, () => difference("getItem"));
    const more = ["getItem", "listPlans", "getItem"].map(difference);
    expect(comparisonText(report(whole))).not.toContain("more kinds");
    const lines = comparisonText(report([...whole, ...more])).split("\n");
    expect(lines.filter((line) => /^\d+\. /.test(line))).toHaveLength(20);
    const from = lines.findIndex((line) => line.startsWith("3 more kinds of differences"));
    expect(lines.slice(from + 1, from + 4)).toEqual(["  getItem  2", "  listPlans  1", ""]);
  });
});
