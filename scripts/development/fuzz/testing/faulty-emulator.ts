/** A watched emulator with a fault that a request to `/planted/<name>` selects. The fuzzer must find each fault. */
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";

interface Served {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

let count = 0;

/** The faults by name. They occur in frequent requests. */
const faults: Readonly<Record<string, (served: Served) => void>> = {
  "answers 500": ({ request, response }) => {
    if (request.url?.includes("/sql/query") === true)
      replaceResponse(response, (status) => (status === 400 ? 500 : status));
  },
  "refuses without a documented body": ({ request, response }) => {
    if (request.url?.includes("/items") === true)
      replaceResponse(
        response,
        (status) => status,
        (status, body) => (status >= 400 ? '{"oops":true}' : body),
      );
  },
  "answers against the contract": ({ request, response }) => {
    if (request.url?.endsWith("/plans") === true)
      replaceResponse(
        response,
        (status) => status,
        (_, body) => body.replaceAll('"planId"', '"id"'),
      );
  },
  "loses a connection": ({ request }) => {
    if (request.url?.includes("/payment/portal") === true) request.socket.destroy();
  },
  nothing: () => undefined,
  ends: ({ request }) => {
    // not in the fixed requests
    if (/^\/ns\/fuzz\/.*\/usage/.test(request.url ?? "")) throw new Error("its last words");
  },
  stalls: ({ request }) => {
    const begun = process.cpuUsage();
    // not in the fixed requests
    const isSlow = request.method === "GET" && /^(?!\/ns\/known\/).*\/usage/.test(request.url ?? "");
    while (isSlow && process.cpuUsage(begun).user < 300_000);
  },
  "answers otherwise after a while": ({ request, response }) => {
    count += 1;
    if (count > 200 && request.url?.endsWith("/plans") === true) response.setHeader("X-Odd", "1");
  },
  "changes something when it refuses": ({ request, response }) => {
    const [, base] = /^(.*)\/api\/v1\//.exec(request.url ?? "") ?? [];
    if (base === undefined || request.method === "GET" || request.headers["x-planted"] !== undefined) return;
    const { port } = request.socket.address() as { readonly port: number };
    const end = response.end.bind(response);
    const later = (...given: readonly unknown[]): ServerResponse => {
      if (response.statusCode < 400) return end(...(given as []));
      void fetch(`http://127.0.0.1:${port}${base}/api/v1/databases/db_demo/items`, {
        method: "PUT",
        headers: {
          Authorization: "Bearer dsk_demo_all",
          "Content-Type": "application/json",
          "X-Planted": "1",
        },
        body: JSON.stringify({ pk: "planted", data: { count: (count += 1) } }),
      }).finally(() => end(...(given as [])));
      return response;
    };
    response.end = later as typeof response.end;
  },
};

let planted: ((served: Served) => void) | undefined;
subscribe("http.server.request.start", (served) => {
  const [, name] = /^\/planted\/(.*)$/.exec((served as Served).request.url ?? "") ?? [];
  if (name === undefined) planted?.(served as Served);
  else {
    planted = faults[decodeURIComponent(name)];
    if (planted === undefined) throw new Error(`there is no fault ${name}`);
    count = 0;
  }
});
await import("../watched-emulator.js");

/** Replaces the status and the body of a response. */
function replaceResponse(
  response: ServerResponse,
  statusOf: (status: number) => number,
  bodyOf: (status: number, body: string) => string = (_, body) => body,
): void {
  const writeHead = response.writeHead.bind(response) as (status: number, headers?: object) => ServerResponse;
  const end = response.end.bind(response) as (body?: string) => ServerResponse;
  let head: readonly [number, object] = [200, {}];
  Object.assign(response, {
    writeHead: (status: number, headers: object = {}) => {
      head = [status, headers];
      return response;
    },
    end: (given?: string | Uint8Array) => {
      const [status, headers] = head;
      const body = given === undefined ? undefined : bodyOf(status, Buffer.from(given).toString());
      const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
      writeHead(statusOf(status), { ...headers, ...length });
      return end(body);
    },
  });
}
