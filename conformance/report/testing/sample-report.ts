import type { Check } from "../../check/check.js";
import type { Exchange } from "../../client/exchange.js";
import { Recorder } from "../../client/recorder.js";
import { SecretMasker } from "../../client/secrets.js";
import type { CheckResult } from "../../run/result.js";
import { getVerdict } from "../../run/verdict.js";
import { buildReport } from "../build-report.js";
import type { Report } from "../report.js";

/** Creates a small report with every kind of content that such a run can have. */
export function createSampleReport(kind: "passed" | "failed" | "inconclusive"): Report {
  const recorder = new Recorder();
  for (const made of createSampleExchanges()) recorder.add(made);
  const results: CheckResult[] = [
    createResult({ id: "items/passed", clauses: ["ITEM-01"] }, { level: "passed", cells: createCells() }),
    createResult(
      { id: "access/admin", clauses: ["AUTH-27"] },
      { level: "not-declared", reason: "the target file does not declare a user `admin`" },
    ),
  ];
  const left: { entry: { number: number; kind: "database"; name: string }; reason: string }[] = [];
  if (kind !== "passed") {
    results.push(
      createResult(
        { id: "items/blocked", clauses: ["ITEM-03"] },
        { level: "blocked", reason: "items/failed did not pass" },
      ),
      ...Array.from({ length: 8 }, (_, index) =>
        createResult(
          { id: `sql/later-${index}`, clauses: ["SQL-01"] },
          { level: "not-run", reason: "interrupted" },
        ),
      ),
    );
    left.push({ entry: { number: 1, kind: "database", name: "cfsample-db" }, reason: "status 500" });
  }
  if (kind === "failed") {
    const property = { index: 0, seed: 5, path: "0:1", inputs: [{ name: "data", value: '{"a":1}' }] };
    const failure = {
      clause: "ITEM-02",
      expected: "status 200",
      actual: 'status 500 with {"a":1}',
      exchanges: createSampleExchanges(),
      property,
    } as const;
    results.push(
      createResult(
        { id: "items/failed", clauses: ["ITEM-02"] },
        { level: "failed", reason: "ITEM-02", failure },
      ),
    );
  }
  const errors = left.length === 0 ? [] : ["1 resource that the run created could not be removed"];
  return buildReport({
    outcome: {
      verdict: getVerdict(results, errors, 0),
      notSelected: 0,
      errors,
      results,
      left,
      startedAt: 0,
      endedAt: 61_500,
    },
    target: { title: "a deployment", baseUrl: "http://localhost:4100", knownAnswers: {} },
    id: "cfsample",
    seed: 7,
    runs: 10,
    only: ["items"],
    recorder,
    secrets: new SecretMasker(),
  });
}

function createResult(
  { id, clauses }: Pick<Check, "id" | "clauses">,
  rest: Pick<CheckResult, "level"> & Partial<CheckResult>,
): CheckResult {
  const check: Check = { id, title: `What ${id} is about`, clauses, needs: [], run: () => Promise.resolve() };
  return { check, cells: [], durationMs: 12.5, requests: 3, ...rest };
}

function createCells(): CheckResult["cells"] {
  return [
    { operationId: "getItem", caller: "owner", expected: "allowed", status: 200 },
    { operationId: "getItem", caller: "anonymous", expected: "refused", status: 401 },
    { operationId: "putItem", caller: "outsider", expected: "refused", status: 200 },
    { operationId: "login", caller: "owner", expected: "open", status: 200 },
  ];
}

/** Creates many exchanges, including one without a response and one with long bodies. */
function createSampleExchanges(): readonly Exchange[] {
  return Array.from({ length: 14 }, (_, index): Exchange => {
    const body = JSON.stringify({ text: "x".repeat(index === 13 ? 30_000 : index === 12 ? 1000 : 10) });
    return {
      number: index + 1,
      operationId: index % 2 === 0 ? "putItem" : "getItem",
      intent: index === 3 ? "invalid" : "valid",
      caller: "owner",
      setUp: index < 2,
      request: {
        method: index % 2 === 0 ? "PUT" : "GET",
        url: `http://localhost:4100/api/v1/databases/db_${"long".repeat(30)}/items/k${index}`,
        headers: { Authorization: "Bearer $OWNER_TOKEN" },
        body: index % 2 === 0 ? body : undefined,
      },
      ...(index === 4
        ? { answer: undefined, failure: "no response within 10 s" }
        : {
            answer: {
              status: index === 3 ? 400 : 200,
              headers: { "content-type": "application/json" },
              body,
            },
          }),
      startedAt: index,
      durationMs: 0.2 * 1.7 ** index,
    };
  });
}
