import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OperationId } from "../../openapi/operations/register.js";
import { getOpenContract } from "../client/contracts.js";
import type { Exchange } from "../client/exchange.js";
import { parameterizeHistory } from "./parameterize-history.js";
import { ResponseSchemas } from "./response-schemas.js";
import { fillPlaceholders, type HistoryStep, type TracedEvent } from "./history.js";
import { sharedValues } from "./shared-values.js";

const schemas = new ResponseSchemas(getOpenContract().document);
const baseUrl = "http://localhost";
const token = fc.stringMatching(/^[A-Za-z0-9_-]{24,60}$/);

function createEvent(
  request: Partial<Exchange["request"]>,
  operationId?: OperationId,
  path?: Readonly<Record<string, string>>,
  answer = {},
): TracedEvent {
  const exchange: Exchange = {
    number: 1,
    operationId,
    intent: "valid",
    caller: "owner",
    request: { method: "POST", url: `${baseUrl}/auth/password`, headers: {}, body: undefined, ...request },
    answer: { status: 201, headers: {}, body: JSON.stringify(answer) },
    setUp: false,
    startedAt: 0,
    durationMs: 0,
  };
  return { exchange, behavior: path === undefined ? {} : { path } };
}

/** Creates the steps of a history, which was recorded when all targets already had the given values. */
function createSteps(events: readonly TracedEvent[], shared: readonly string[] = []): readonly HistoryStep[] {
  const values = new Map(shared.map((text) => [text, sharedValues.database()]));
  const recording = { run: "run000", baseUrl, shared: values };
  return parameterizeHistory({ id: "", title: "", needs: [] }, events, recording, schemas).steps;
}

/** Returns the request of a step for a target, with this target's values in place of recorded ones. */
function fillStep(step: HistoryStep | undefined, values: Readonly<Record<string, string>>) {
  if (step === undefined) throw new Error("there is no step");
  const texts = step.placeholders.map(({ recorded }) => values[recorded] ?? "");
  return fillPlaceholders(step, texts, (text) => text.replaceAll("run000", "run001"));
}

describe("a recorded request is adapted to a target", () => {
  it("with the values of the target, and the id of the execution in names", () => {
    const body = '{"a":"recorded","b":"run000-1","c":["recorded"],"d":"\\u0041"}';
    const url = `${baseUrl}/items/recorded?x=run000-2`;
    const [step] = createSteps([createEvent({ url, body })], ["recorded"]);
    expect(fillStep(step, { recorded: 'he"re' }).rest).toEqual({
      body: '{"a":"he\\"re","b":"run001-1","c":["he\\"re"],"d":"\\u0041"}',
      target: "/items/he%22re?x=run001-2",
    });
  });

  it("with a token that is altered where the recorded one was altered", () => {
    fc.assert(
      fc.property(token, token, fc.nat(59), (recorded, here, at) => {
        const place = at % recorded.length;
        const altered = `${recorded.slice(0, place)}!${recorded.slice(place + 1)}`;
        const [step] = createSteps(
          [createEvent({ headers: { Authorization: `Bearer ${altered}` } })],
          [recorded],
        );
        const { Authorization: sent } = fillStep(step, { [recorded]: here }).headers;
        // a text that has too little in common with the token is not replaced
        if (sent === `Bearer ${altered}`) return;
        expect(sent).toContain("!");
        expect(sent).toHaveLength("Bearer ".length + here.length);
      }),
    );
  });

  it("after a response that is nested very deeply", () => {
    const { exchange, ...rest } = createEvent({}, "getItem", {});
    const body = `{"traceId":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const answer = { status: 400, headers: {}, body };
    expect(createSteps([{ ...rest, exchange: { ...exchange, answer } }])[0]?.returnedValues).toEqual([]);
  });

  it("in linear time for a body with an unterminated string, which stays unchanged", () => {
    const start = process.cpuUsage();
    for (const part of ['\\"', '"\\']) createSteps([createEvent({ body: part.repeat(100_000) })]);
    const { user, system } = process.cpuUsage(start);
    // in microseconds; a search that restarts at each quotation mark takes ten times as long
    expect(user + system).toBeLessThan(2_000_000);
    const body = String.raw`{"a":"recorded","b":"recorded\",\"recorded`;
    const [step] = createSteps([createEvent({ body })], ["recorded"]);
    expect(fillStep(step, { recorded: "x" }).rest.body).toBe(body.replace("recorded", "x"));
  });

  it("with addresses in capitals", () => {
    const shared = "owner@certify.test";
    const [step] = createSteps([createEvent({ body: '{"email":"OWNER@CERTIFY.TEST"}' })], [shared]);
    expect(fillStep(step, { [shared]: "olivia@acme.example" }).rest.body).toBe(
      '{"email":"OLIVIA@ACME.EXAMPLE"}',
    );
  });

  it("with an unchanged timestamp, even if a response contained a similar one", () => {
    const created = createEvent({}, "createDatabase", {}, { createdAt: "2030-01-01T00:00:00.070Z" });
    const body = '{"data":"2030-01-01T00:00:00.000Z"}';
    const [, second] = createSteps([created, createEvent({ body })]);
    expect(fillStep(second, { "2030-01-01T00:00:00.070Z": "2027-05-06T07:08:09.100Z" }).rest.body).toBe(body);
  });

  it("with values from earlier responses of the target", () => {
    const created = createEvent(
      { body: '{"name":"run000-1"}' },
      "createDatabase",
      {},
      { databaseId: "db_1" },
    );
    const read = createEvent({ method: "GET", url: `${baseUrl}/databases/db_1` }, "getDatabase", {
      databaseId: "db_1",
    });
    const [first, second] = createSteps([created, read]);
    expect(first).toMatchObject({
      placeholders: [],
      returnedValues: [{ pointer: "/databaseId", value: "db_1" }],
    });
    expect(second).toMatchObject({ names: ["db_1"] });
    expect(fillStep(second, { db_1: "other" }).path).toEqual({ databaseId: "other" });
  });
});
