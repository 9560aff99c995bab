import { describe, expect, it } from "vitest";
import { formatFailure, shorten } from "./format-failure.js";
import type { ReportedFailure } from "./report.js";

const indented = '{\n  "status": "Creating",\n  "name": "a  b"\n}\n';

const failure: ReportedFailure = {
  clause: "DB-05",
  part: "4.5",
  statement: "A statement.",
  expected: "status 200",
  actual: `status 202 with ${indented}`,
  exchanges: [
    {
      number: 1,
      operationId: undefined,
      intent: "valid",
      caller: "owner",
      setUp: false,
      request: { method: "GET", url: "http://127.0.0.1/health", headers: {}, body: undefined },
      answer: { status: 202, headers: {}, body: indented },
      startedAt: 0,
      durationMs: 1,
    },
  ],
  curl: "curl",
  gaps: [],
  replay: "token",
};

it("shortens long runs of spaces without delay", () => {
  expect(shorten(`a${" ".repeat(1_000_000)}b`, 5)).toMatch(/^a {4}/);
});

describe("formatFailure", () => {
  it("prints a body on one line in the short form, however the deployment formats its JSON", () => {
    const lines = formatFailure(failure, { command: "certify" });
    const body = '{ "status": "Creating", "name": "a  b" }';
    expect(lines.every((line) => !line.includes("\n"))).toBe(true);
    expect(lines).toContain(`  actual    status 202 with ${body}`);
    expect(lines).toContain(`       → 202 ${body}`);
  });

  it("prints a body unchanged in the full form", () => {
    const lines = formatFailure(failure, { command: "certify", isVerbose: true });
    expect(lines.join("\n")).toContain(indented);
  });
});
