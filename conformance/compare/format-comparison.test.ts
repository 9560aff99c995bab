import { describe, expect, it } from "vitest";
import { formatAcceptedCauses, parseAcceptedCauses } from "./accepted-causes.js";
import type { CompareReport, ReportedCause } from "./compare-report.js";
import { formatComparison } from "./format-comparison.js";

function createCause(number: number, more: Partial<ReportedCause> = {}): ReportedCause {
  const exchange = (status: number) =>
    ({
      number,
      operationId: "getItem",
      intent: "valid",
      caller: "owner",
      setUp: false,
      request: { method: "GET", url: "/items/a", headers: {}, body: undefined },
      answer: { status, headers: {}, body: `{\n  "status": ${status}\n}\n` },
      startedAt: 0,
      durationMs: 1,
    }) as const;
  return {
    number,
    cause: `status: ${number}`,
    responses: 3,
    operations: [{ operation: "getItem", responses: 3 }],
    statuses: ["404 / 410"],
    brokenClauses: [],
    gaps: [],
    source: "items/put-get-delete",
    title: "Items",
    isReproduced: true,
    omittedExchanges: 0,
    exchanges: [{ first: exchange(404), second: exchange(410) }],
    curl: "",
    ...more,
  };
}

function createReport(
  causes: readonly ReportedCause[],
  acceptedNotFound: readonly string[] = [],
): CompareReport {
  return {
    verdict: "different",
    targets: [{ title: "one" }, { title: "other" }],
    counts: {
      operations: 51,
      compared: 51,
      different: 1,
      responses: 100,
      notReproduced: 0,
      skipped: 0,
      newCauses: causes.length,
    },
    operations: [
      { operationId: "getItem", state: "differs", responses: 5, causes: causes.map(({ number }) => number) },
      { operationId: "putItem", state: "same", responses: 7, causes: [] },
      { operationId: "getUsage", state: "not compared", responses: 0, causes: [] },
    ],
    causes,
    acceptedNotFound,
    omitted: [],
    errors: [],
    leftBehind: [],
  } as unknown as CompareReport;
}

describe("a comparison for a terminal", () => {
  it("starts with the operations and their causes", () => {
    expect(
      formatComparison(createReport([createCause(1)]))
        .split("\n")
        .slice(3, 7),
    ).toEqual([
      "Operations",
      "  getItem   differs (5 responses), see #1",
      "  putItem   same (7 responses)",
      "  getUsage  not compared",
    ]);
  });

  it("prints bodies on one line, even if a deployment indents them", () => {
    const text = formatComparison(createReport([createCause(1)]));
    expect(text).toContain('       → first: 404 { "status": 404 }\n       → second: 410 { "status": 410 }\n');
  });

  it("names the clause that a cause breaks, or else what to do next", () => {
    const brokenClauses = [{ target: "one", clause: "ITEM-01" as const, statement: "A put returns 201." }];
    expect(formatComparison(createReport([createCause(1, { brokenClauses })]))).toContain(
      "ITEM-01, broken by one, requires: A put returns 201.",
    );
    expect(formatComparison(createReport([createCause(1, { gaps: ["validation-status"] })]))).toContain(
      "may come from a gap in the specification (validation-status); `data-service observe` finds",
    );
    expect(formatComparison(createReport([createCause(1)]))).toContain(
      "no response violates the contract; `data-service certify --only items/put-get-delete` finds out",
    );
    expect(formatComparison(createReport([createCause(1, { source: "har/session.har" })]))).toContain(
      "no response violates the contract\n",
    );
  });

  it("counts the accepted causes whose reason is missing", () => {
    const file = formatAcceptedCauses([{ cause: "status: 1" }], []);
    const accepted = parseAcceptedCauses(file, "differences.yaml")[0]?.reason;
    const text = formatComparison(
      createReport([createCause(1, { accepted }), createCause(2, { accepted: "known" })]),
    );
    expect(text).toContain('\naccepted causes without a reason ("not explained yet"): 1\n');
    expect(formatComparison(createReport([createCause(1, { accepted: "known" })]))).not.toContain(
      "without a reason",
    );
  });

  it("shows accepted causes briefly, and names those that no longer occur", () => {
    const text = formatComparison(
      createReport([createCause(1, { accepted: "known" })], ["header etag: none"]),
    );
    expect(text).toContain("Accepted causes\n  #1 status: 1\n    accepted: known\n\n");
    expect(text).toContain("that were not found\n  header etag: none\n");
  });

  it("groups equal reasons", () => {
    const omitted = ["a", "b", "c", "d", "e"].map((id) => ({ id, reason: "no control plane" }));
    expect(formatComparison({ ...createReport([]), omitted })).toContain(
      "Left out\n  a, b, c and 2 more  no control plane\n",
    );
  });
});
