import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { Exchange } from "./exchange.js";
import { Recorder } from "./recorder.js";

const bodyCharacters = 4_000_000;

function sampleExchange(number: number): Exchange {
  const url = `http://localhost/auth/login?${number}`;
  return {
    number,
    operationId: "login",
    intent: "valid",
    caller: "nobody",
    setUp: false,
    request: { method: "POST", url, headers: {}, body: undefined },
    answer: { status: 200, headers: {}, body: `{"pad":"${String(number).repeat(bodyCharacters)}"}` },
    startedAt: 0,
    durationMs: 1,
  };
}

it("keeps only a part of long responses", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const run = new Recorder(50);
  const check = run.fork();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 60; number += 1) check.add(sampleExchange(number % 10));
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(25 * bodyCharacters);
  expect(check.recent).toHaveLength(60);
  expect(run.creatingRequests).toHaveLength(60);
  expect(run.kept).toMatchObject({ dropped: 10 });
});

it("keeps the whole body of a request, so that it can be sent again", () => {
  const run = new Recorder(1);
  const check = run.fork();
  const body = "1".repeat(bodyCharacters);
  const { request, ...others } = sampleExchange(1);
  check.add({ ...others, request: { ...request, body } });
  for (const [held] of [check.recent, check.creatingRequests]) {
    expect(held?.request.body === body).toBe(true);
    expect(held?.answer?.body).toContain("… (truncated; 4000010 characters in total)");
  }
  expect(run.kept.exchanges[0]?.request.body).toContain("… (truncated; 4000000 characters in total)");
});

it("keeps the newest exchanges, with the start and the length of a long body", () => {
  const run = new Recorder(3);
  for (let number = 0; number < 8; number += 1) run.fork().add({ ...sampleExchange(7), number });
  const { exchanges, dropped } = run.kept;
  expect(exchanges.map(({ number }) => number)).toEqual([5, 6, 7]);
  expect(dropped).toBe(5);
  expect(exchanges[0]?.answer?.body).toMatch(/^\{"pad":"7+… \(truncated; 4000010 characters in total\)$/);
});

it("counts a request that may be refused neither as valid nor as invalid", () => {
  const run = new Recorder();
  for (const intent of ["valid", "invalid", "may-be-refused"] as const)
    run.fork().add({ ...sampleExchange(1), intent });
  expect(run.counts.get("login")).toEqual({ accepted: 1, invalid: 1, answered: 3 });
});

it("keeps the session and the database, however many tables are created after them", () => {
  const run = new Recorder();
  const answer = { status: 200, headers: {}, body: "{}" };
  const operations = ["login", "createDatabase", ...Array<"executeSql">(7000).fill("executeSql")] as const;
  for (const [number, operationId] of operations.entries())
    run.fork().add({ ...sampleExchange(1), number, operationId, answer });
  const kept = run.creatingRequests.map(({ operationId }) => operationId);
  expect(kept.slice(0, 3)).toEqual(["login", "createDatabase", "executeSql"]);
  expect(kept).toHaveLength(3002);
});
