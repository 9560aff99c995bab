import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import type { OperationDefinition } from "../../../openapi/operations/operation.js";
import { type OperationId, serviceOperations } from "../../../openapi/operations/register.js";
import {
  type DemoRequest,
  listExampleRequests,
  fetchDemoToken,
  getPath,
} from "../growth/example-requests.js";
import { type PrismProxy, startPrismProxy, type Violation, getViolations } from "./testing/prism-proxy.js";

/** Changes to an operation's example that make the request valid for the demo data. */
interface Change {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Replaces the owner's access token; null for no credential. */
  readonly credential?: string | null;
}

/** A JSON response that a test can change before Prism receives it. */
interface Answer {
  status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Operations whose example is rejected with the demo data. */
const refusedExamples: readonly string[] = ["refreshSession"];

let emulator: Emulator;
/** Changes every response before Prism receives it. */
let alter: ((answer: Answer) => void) | undefined;
let proxy: PrismProxy;
beforeAll(async () => {
  emulator = await createEmulator({
    middleware: [
      async (c, next) => {
        await next();
        if (alter === undefined) return;
        const { status, headers } = c.res;
        const answer = {
          status,
          headers: new Headers(headers),
          body: (await c.res.json()) as Answer["body"],
        };
        alter(answer);
        answer.headers.delete("content-length");
        c.res = undefined;
        c.res = new Response(JSON.stringify(answer.body), answer);
      },
    ],
  });
  // one Prism for both parts, because Prism takes long to start
  proxy = await startPrismProxy(await emulator.listen());
});
afterAll(async () => {
  await proxy.close();
  await emulator.close();
});

describe("Prism in front of the emulator", () => {
  const requests = listExampleRequests().filter(({ plane }) => plane === "service");

  it.each(requests)("accepts the responses of $operationId", async (request) => {
    const { access, requestBody }: OperationDefinition =
      serviceOperations[request.operationId as OperationId];
    const changes: readonly Change[] = [
      {},
      ...(access.kind === "protected"
        ? [{ credential: null }, { credential: "dsk_demo_repository_read" }]
        : []),
      ...(requestBody === undefined ? [] : [{ body: [] }, { contentType: "text/plain" }]),
      ...Object.keys(request.parameters).map((name) => ({ parameters: { [name]: "unknown" } })),
    ];
    for (const change of changes) {
      const response = await send(request, change);
      const what = `${JSON.stringify(change)}: ${response.status} ${await response.text()}`;
      const violations = getViolations(response);
      expect(violations.filter(inResponse), what).toEqual([]);
      // Prism may report deliberately invalid requests, but it must know every route
      if (response.ok) expect(violations, what).toEqual([]);
      else expect(violations.map(({ message }) => message)).not.toContain("Selected route not found");
      expect(
        response.ok || change !== changes[0] || refusedExamples.includes(request.operationId),
        what,
      ).toBe(true);
    }
  });
});

describe("Prism in front of a deployment that breaks the contract", () => {
  const success: Change = {};
  const refusal: Change = { credential: null };
  const mistakes: readonly (readonly [string, Change, (answer: Answer) => void])[] = [
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
      ({ headers }) => headers.set("content-type", "text/html"),
    ],
    [
      "drops a required header",
      refusal,
      ({ headers }) => {
        headers.delete("www-authenticate");
      },
    ],
  ];
  it.each(mistakes)("reports a response that %s", async (_, change, mistake) => {
    const request = listExampleRequests().find(({ operationId }) => operationId === "getItem");
    if (request === undefined) throw new Error("there is no request of getItem");
    const good = await send(request, change);
    expect([good.status, getViolations(good).filter(inResponse)]).toEqual([
      change.credential === null ? 401 : 200,
      [],
    ]);

    alter = mistake;
    const bad = await send(request, change).finally(() => {
      alter = undefined;
    });
    expect(getViolations(bad).filter(inResponse)).not.toEqual([]);
  });
});

function inResponse({ location }: Violation): boolean {
  return location[0] === "response";
}

/** Sends a request through Prism to an emulator with the demo data, as the owner of the organization. */
async function send(request: DemoRequest, change: Change): Promise<Response> {
  emulator.reset();
  const {
    credential = await fetchDemoToken(emulator.fetch),
    contentType = "application/json",
    parameters,
  } = change;
  const body = "body" in change ? change.body : request.body;
  return fetch(proxy.url + getPath(request, parameters), {
    method: request.method,
    headers: {
      ...(credential === null ? {} : { Authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { "Content-Type": contentType }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
