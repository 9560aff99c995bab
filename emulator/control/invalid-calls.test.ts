import { describe, expect, it } from "vitest";
import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { formatLocation } from "../domain/problem.js";
import type { Emulator } from "../api/emulator.js";
import { callNamespaceFunction } from "../testing/call-namespace-function.js";
import { type InvalidControlCall, invalidControlCalls } from "../testing/invalid-control-calls.js";
import { type TestResponse } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";
import { catchProblem } from "../testing/catch-problem.js";

const running = useTestEmulator();

interface AnsweredProblem {
  readonly status: number;
  readonly kind: string | undefined;
  readonly detail: string;
  readonly places: readonly string[];
}

function overHttp(id: ControlOperationId, call: InvalidControlCall): Promise<TestResponse> {
  const { routes } = controlPlaneOperations[id] as { routes: { method: string; path: string } };
  const path = routes.path.replace(/\{(\w+)\}/g, (_all, name: string) => call.path?.[name] ?? "");
  const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query).toString()}`;
  const { body } = call;
  return running.control.request(
    routes.method.toUpperCase(),
    path + query,
    body === undefined ? {} : { body },
  );
}

function readProblem({ status, body }: TestResponse): AnsweredProblem {
  const problem = body as {
    type: string;
    detail: string;
    errors?: readonly { in: string; pointer: string; detail: string }[];
  };
  const places = (problem.errors ?? []).map(
    ({ in: part, pointer, detail }) => `${part} ${pointer} ${detail}`,
  );
  return { status, kind: problem.type.split("/").at(-1), detail: problem.detail, places };
}

const calls = Object.entries(invalidControlCalls).flatMap(([id, list]) =>
  list.map((call) => [id as ControlOperationId, call] as const),
);

/** Returns everything that a call could have changed. */
function readChangeableState({ state, faults, snapshots, namespaces, journal, apiKeys }: Emulator) {
  return [state(), faults.list(), snapshots.list(), namespaces.list(), journal.entries(), apiKeys.list()];
}

describe("an invalid call of the control plane", () => {
  it.each(calls)("is refused over HTTP and in-process with the same words: %s %j", async (id, call) => {
    const { emulator } = running;
    const before = readChangeableState(emulator);
    const answer = await overHttp(id, call);
    const answered = readProblem(answer);
    expect(answered.kind).toBe(call.kind ?? "validation-failed");
    const mistakes = answered.places.map((place) => place.replace(/^(?:body|query|path) /, ""));
    const expected = (call.mistakes ?? []).map((begin) => (begin.includes(" ") ? begin : `${begin} `));
    for (const mistake of mistakes)
      expect(
        expected.filter((begin) => mistake.startsWith(begin)),
        mistake,
      ).not.toEqual([]);
    for (const begin of expected)
      expect(
        mistakes.filter((mistake) => mistake.startsWith(begin)),
        begin,
      ).not.toEqual([]);
    const problem = catchProblem(() => callNamespaceFunction(emulator, id, call));
    const places = problem.violations.map((one) => `${one.in} ${one.pointer} ${one.detail}`);
    const { status, kind, message, violations } = problem;
    // the error contains only this message
    const all = violations.map((one) => `${formatLocation(one)}: ${one.detail}`).join("; ");
    const detail = violations.length > 1 ? all : answered.detail;
    expect({ status, kind, places, detail: message }).toEqual({ ...answered, detail });
    expect(readChangeableState(emulator)).toEqual(before);
  });

  it("exists for every operation that can be called wrongly", () => {
    const without = Object.keys(controlPlaneOperations).filter((id) => !(id in invalidControlCalls));
    expect(without).toEqual([
      "getEmulator",
      "getClock",
      "getProfile",
      "getControlPlaneDocument",
      "listUsers",
      "listOrganizations",
      "listAllDatabases",
      "listApiKeys",
      "getReturnAddresses",
      "listNamespaces",
      "listSnapshots",
      "takeSnapshot",
      "uploadSnapshot",
      "listFaults",
      "clearFaults",
      "clearJournal",
      "getCoverage",
    ]);
  });
});

describe("what no HTTP request can bring", () => {
  const wrong = (value: unknown) => value as never;
  it.each<[string, (emulator: Emulator) => unknown, string]>([
    ["no id", ({ users }) => users.delete(wrong(undefined)), "path /userId: must be a non-empty string"],
    [
      "an id that is no text",
      ({ databases }) => databases.change(wrong(1), { status: "Active" }),
      "path /databaseId",
    ],
    ["a function", ({ users }) => users.create(wrong({ email: () => "a@b" })), "body /email: must be JSON"],
    ["a function as body", ({ users }) => users.create(wrong(() => 1)), "body: must be JSON, not a function"],
    [
      "a function that would widen a rule",
      ({ faults }) =>
        faults.create({ effect: { kind: "drop" }, match: { operationId: wrong(() => "getHealth") } }),
      "body /match/operationId: must be JSON, not a function",
    ],
    ["a big integer", ({ faults }) => faults.create(wrong({ effect: 1n })), "body /effect: must be JSON"],
    ["a symbol", ({ users }) => users.create(wrong({ email: Symbol("a") })), "body /email: must be JSON"],
    [
      "a circle",
      ({ health }) => health.set(circle()),
      "body /details: must be JSON, but this value contains itself",
    ],
    [
      "a circle in a list",
      ({ health }) => health.set(wrong({ details: [{}, circle()] })),
      "body /details/1/details: must be JSON, but this value contains itself",
    ],
    [
      "no number instead of null",
      ({ namespaces }) => namespaces.set("a", { idleSeconds: Infinity }),
      "body /idleSeconds: must be a valid JSON number, not Infinity",
    ],
    [
      "no number",
      ({ faults }) => faults.create({ effect: { kind: "status", status: NaN } }),
      "body /effect/status",
    ],
    [
      "half of a surrogate pair",
      ({ users }) => users.create({ email: "a@b.test", password: "p", name: "\ud800" }),
      "body /name: contains half of a surrogate pair",
    ],
    ["no arguments", ({ users }) => users.create(wrong(undefined)), "body /email: is required"],
  ])("is refused as well: %s", (_what, call, text) => {
    const before = readChangeableState(running.emulator);
    const problem = catchProblem(() => call(running.emulator));
    expect([problem.status, problem.kind, problem.message]).toEqual([
      400,
      "validation-failed",
      expect.stringContaining(text),
    ]);
    expect(readChangeableState(running.emulator)).toEqual(before);
  });

  it("is refused if it is not bytes", () => {
    const { status, kind } = catchProblem(() => running.emulator.snapshots.upload("a", wrong("text")));
    expect([status, kind, running.emulator.snapshots.list()]).toEqual([400, "malformed-request", []]);
  });

  it("except that fields without a value are omitted, and a date is its text", () => {
    const { clock, users } = running.emulator;
    expect(clock.set(wrong(new Date("2031-01-01T00:00:00Z"))).now).toBe("2031-01-01T00:00:00.000Z");
    const { userId } = users.create({
      email: "b@demo.test",
      password: "p",
      ...({ name: undefined } as object),
    });
    users.delete(userId);
  });
});

function circle() {
  const health: Record<string, unknown> = {};
  health.details = health;
  return health as { details: string };
}
