import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import { operationsOf } from "../../../emulator/request/mounted-operation.js";
import { buildDocument } from "../../../openapi/document/document.js";
import type { OperationDefinition } from "../../../openapi/operations/operation.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { type OperationId, operationIds, serviceOperations } from "../../../openapi/operations/register.js";
import { type AlteringRelay, type PassingAnswer, startAlteringRelay } from "./altering-relay.js";
import { type PrismProxy, startPrismProxy, type Violation, violationsOf } from "./prism-proxy.js";
import { commonRefusals, serviceTraffic } from "../traffic/service-traffic.js";
import type { Call } from "../traffic/traffic.js";
import { beginWorld, type World } from "../traffic/traffic-world.js";

const routes = operationsOf(buildDocument(defaultProfile));

let emulator: Emulator;
let relay: AlteringRelay;
let proxy: PrismProxy;
beforeAll(async () => {
  emulator = await createEmulator();
  // one Prism for both parts, because it takes long to start
  relay = await startAlteringRelay(await emulator.listen());
  proxy = await startPrismProxy(relay.url);
});
afterAll(async () => {
  await proxy.close();
  await relay.close();
  await emulator.close();
});

describe("Prism before the emulator", () => {
  it.each(operationIds)("finds nothing wrong with the answers of %s", async (id) => {
    const { successes, effect }: OperationDefinition = serviceOperations[id];
    // an SQL query may be a statement that writes
    const writes = effect === "write" || id === "runSqlQuery";
    let world = await beginWorld(emulator);
    const calls = callsOf(id, world);
    for (const { status } of successes({ kind: "strict", profile: defaultProfile }))
      expect(
        calls.map((call) => call.status),
        `traffic that is answered with ${status}`,
      ).toContain(status);

    for (const index of calls.keys()) {
      const call = callsOf(id, world)[index];
      if (call === undefined) throw new Error("the calls depend on the world");
      const answer = await send(id, call, world);
      const what = `${JSON.stringify(call).slice(0, 300)}: ${await answer.text()}`;
      expect(answer.status, what).toBe(call.status);
      const violations = violationsOf(answer);
      expect(violations.filter(inResponse), what).toEqual([]);
      // what is wrong on purpose may be found wrong, but a route that Prism does not know is judged by nothing
      if (answer.ok) expect(violations, what).toEqual([]);
      else expect(violations.map(({ message }) => message)).not.toContain("Selected route not found");
      // every call finds the same world; a refusal and a read leave it as it was
      if ((answer.ok && writes) || call.before !== undefined) world = await beginWorld(emulator);
    }
  });
});

describe("Prism before a deployment that breaks the contract", () => {
  const success: Call = { status: 200 };
  const refusal: Call = { status: 401, credential: null };
  const mistakes: readonly (readonly [string, Call, (answer: PassingAnswer) => void])[] = [
    [
      "drops a member",
      success,
      ({ body }) => {
        delete body.updatedAt;
      },
    ],
    ["changes a type", success, ({ body }) => (body.pk = 17)],
    ["adds a member", success, ({ body }) => (body.version = 1)],
    ["answers with another status", success, (answer) => (answer.status = 202)],
    ["refuses with another status", refusal, (answer) => (answer.status = 418)],
    [
      "drops a member of an error",
      refusal,
      ({ body }) => {
        delete body.detail;
      },
    ],
    [
      "answers errors with another content type",
      refusal,
      ({ headers }) => (headers["content-type"] = "text/html"),
    ],
    [
      "drops a required header",
      refusal,
      ({ headers }) => {
        delete headers["www-authenticate"];
      },
    ],
  ];
  it.each(mistakes)("reports a response that %s", async (_, call, alter) => {
    const good = await send("getItem", call, await beginWorld(emulator));
    expect([good.status, violationsOf(good).filter(inResponse)]).toEqual([call.status, []]);

    relay.alter = alter;
    const bad = await send("getItem", call, await beginWorld(emulator)).finally(() => {
      relay.alter = undefined;
    });
    expect(violationsOf(bad).filter(inResponse)).not.toEqual([]);
  });
});

function callsOf(id: OperationId, world: World): readonly Call[] {
  return [...serviceTraffic(world)[id], ...commonRefusals(id, world)];
}

function inResponse({ location }: Violation): boolean {
  return location[0] === "response";
}

/** Sends a call through Prism; what it does not say comes from the operation's example. */
async function send(id: OperationId, call: Call, world: World): Promise<Response> {
  const { example, access, requestBody }: OperationDefinition = serviceOperations[id];
  const route = routes.find(({ operationId }) => operationId === id);
  if (route === undefined) throw new Error(`${id} has no route`);
  const values: Readonly<Record<string, string | number>> = {
    ...example.parameters,
    ...world.ids,
    ...call.parameters,
  };
  const target = new URL(
    proxy.url +
      route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name] ?? name))),
  );
  if (route.takesQuery)
    for (const [name, value] of Object.entries(call.parameters ?? {}))
      if (!route.path.includes(`:${name}`)) target.searchParams.set(name, String(value));
  const { credential = access.kind === "protected" ? world.owner.accessToken : null } = call;
  await call.before?.();
  return fetch(target, {
    method: route.method.toUpperCase(),
    headers: {
      ...(credential === null ? {} : { Authorization: `Bearer ${credential}` }),
      ...(requestBody === undefined ? {} : { "Content-Type": call.contentType ?? "application/json" }),
    },
    ...(requestBody === undefined ? {} : { body: JSON.stringify(call.body ?? example.request) }),
  });
}
