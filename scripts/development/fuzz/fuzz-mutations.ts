import fc from "fast-check";
import { JsonText, writeJson } from "../../../conformance/client/json-text.js";
import { bytesOf, bytesOfText, type FuzzRequest, inUrl, textOfBytes, withHeader } from "./fuzz-request.js";
import { disturb, oddJson } from "./fuzz-texts.js";
import type { LiveState } from "./live-state.js";

type Mutation<Value> = fc.Arbitrary<(value: Value) => Value>;
type Container = Record<string, unknown>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "QUERY"];

/** Headers that may mean something to whoever reads a request. */
const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  Authorization: [
    "Bearer",
    "Bearer ",
    "Bearer eyJhbGciOiJub25lIn0.e30.",
    "Basic b3duZXI6eA==",
    "bearer dsk_demo_all",
    "Bearer dsk_demo_all dsk_demo_all",
    "x".repeat(3000),
  ],
  "Content-Type": [
    "text/plain",
    "application/json; charset=utf-16",
    "application/xml",
    "",
    "application/vnd.sqlite3",
    "application/octet-stream",
    "APPLICATION/JSON;charset=UTF-8",
  ],
  "Content-Encoding": ["gzip", "br", "identity"],
  Accept: ["text/html", "application/vnd.sqlite3", "application/json;q=0", "*/*"],
  Host: ["example.com", "", "localhost", "[::1]:80", "a b", "127.0.0.1:99999"],
  Origin: ["https://example.com", "null", "http://localhost:3000"],
  "Access-Control-Request-Method": ["PUT", "X"],
  "Access-Control-Request-Headers": ["authorization", "x,".repeat(500)],
  "Sec-Fetch-Site": ["cross-site"],
  "Sec-Fetch-Mode": ["cors", "no-cors"],
  Cookie: ["a=b; a=c"],
  "X-Forwarded-Host": ["example.com"],
  "If-None-Match": ["*"],
  Range: ["bytes=0-1"],
};

/** Headers with which nobody can say where the next request on a connection begins. */
const framingHeaders: Readonly<Record<string, readonly string[]>> = {
  Connection: ["close", "upgrade", "keep-alive, close"],
  "Content-Length": ["0", "1", "-1", "99999", "1e3", "0x10", "2, 2"],
  "Transfer-Encoding": ["chunked", "gzip, chunked", "identity"],
  Expect: ["100-continue", "200-ok"],
  Upgrade: ["websocket", "h2c"],
};

const oddPathParts = [
  "/",
  "//",
  "/..",
  "%2F",
  "%2e%2e",
  "%00",
  "%",
  "%ff",
  "%EF%BB%BF",
  "?",
  "?limit=-1",
].concat(["&limit=1&limit=2", "#", ";", "%C3%A4", "*", "~", "/ns/side-3", "+", "x".repeat(6000)]);

/** Changes requests at some level, or leaves them as they are. */
export function requestMutations(live: LiveState): Mutation<FuzzRequest> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant((request: FuzzRequest) => request) },
    { weight: 5, arbitrary: jsonMutations(live) },
    { weight: 2, arbitrary: bodyMutations },
    { weight: 2, arbitrary: meaningMutations(live) },
    {
      weight: 2,
      arbitrary: fc.oneof({ weight: 4, arbitrary: pathMutations }, { weight: 1, arbitrary: methodMutations }),
    },
    { weight: 2, arbitrary: headerMutations },
    { weight: 1, arbitrary: framingMutations },
    {
      weight: 1,
      arbitrary: byteMutations.map((change) => (request: FuzzRequest) => ({
        ...request,
        raw: change(bytesOf(request)),
      })),
    },
  );
}

/** Changes requests so that they are most probably refused. */
export function spoilingMutations(live: LiveState): Mutation<FuzzRequest> {
  return fc.oneof(jsonMutations(live), meaningMutations(live), bodyMutations);
}

/** Flips, takes away, doubles, puts in and cuts off bytes. */
const byteMutations: Mutation<string> = fc
  .array(
    fc.record({
      kind: fc.constantFrom("flip", "remove", "double", "insert", "cut"),
      at: fc.noBias(fc.nat()),
      length: fc.integer({ min: 1, max: 40 }),
      odd: fc.constantFrom('"', "{", "\r\n", "\u0000", ",", "\\u", "]", "é", "\ufeff", "1e9"),
    }),
    { minLength: 1, maxLength: 6, size: "small" },
  )
  .map(
    (steps) => (bytes) =>
      steps.reduce((changed, { kind, at: place, length, odd }) => {
        const at = place % (changed.length + 1);
        const [head, run, tail] = [
          changed.slice(0, at),
          changed.slice(at, at + length),
          changed.slice(at + length),
        ];
        if (kind === "flip") return head + String.fromCharCode(length * 6) + changed.slice(at + 1);
        if (kind === "remove") return head + tail;
        if (kind === "double") return head + run + run + tail;
        if (kind === "insert") return head + bytesOfText(odd) + run + tail;
        return length > 30 ? head : changed;
      }, bytes),
  );

/** Changes the characters of a body, or the bytes of a file. */
const bodyMutations: Mutation<FuzzRequest> = byteMutations.map(
  (change) => (request) =>
    request.body === undefined ? request : { ...request, body: change(request.body) },
);

/** Another one's credential, ids of something else. */
function meaningMutations(live: LiveState): Mutation<FuzzRequest> {
  const credentials = fc.oneof(live.valueOf("apiKey"), live.valueOf("accessToken"));
  return fc
    .tuple(fc.nat(2), credentials, fc.option(live.anyValue, { freq: 2 }))
    .map(([kind, credential = "", value]) => (request) => {
      if (kind === 0) return withHeader(request, "Authorization", `Bearer ${credential}`);
      const segments = request.target.split("/");
      const at = segments.findLastIndex((segment) => /%|_|\d/.test(segment));
      if (at < 3) return withHeader(request, "Authorization", undefined);
      return {
        ...request,
        target: segments.with(at, inUrl(value ?? `${segments[at]}x`)).join("/"),
      };
    });
}

const pathMutations: Mutation<FuzzRequest> = fc
  .tuple(fc.noBias(fc.nat()), fc.nat(2), fc.constantFrom(...oddPathParts))
  .map(([place, removed, odd]) => (request) => {
    const { target } = request;
    const at = 1 + (place % target.length);
    return { ...request, target: target.slice(0, at) + odd + target.slice(at + removed) };
  });

// what is no method ends the connection
const methodMutations: Mutation<FuzzRequest> = fc
  .constantFrom(...methods)
  .map((method) => (request) => ({ ...request, method, isOdd: true }));

const headerMutations: Mutation<FuzzRequest> = fc.oneof(
  {
    weight: 19,
    arbitrary: fc
      .tuple(oneHeader(oddHeaders), fc.nat(3))
      .map(([[name, value], keeps]) => (request: FuzzRequest) => {
        const others = keeps === 0 ? request : withHeader(request, name, undefined);
        return { ...others, headers: [...others.headers, [name, value] as const] };
      }),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 300 }).map((count) => (request: FuzzRequest) => ({
      ...request,
      headers: [...request.headers, ...Array.from({ length: count }, (_, at) => [`x-${at}`, "1"] as const)],
    })),
  },
);

const framingMutations: Mutation<FuzzRequest> = oneHeader(framingHeaders).map((header) => (request) => ({
  ...request,
  headers: [...request.headers, header],
  isOdd: true,
}));

function oneHeader(
  headers: Readonly<Record<string, readonly string[]>>,
): fc.Arbitrary<readonly [string, string]> {
  return fc.oneof(
    ...Object.entries(headers).map(([name, values]) =>
      fc.tuple(fc.constant(name), fc.constantFrom(...values)),
    ),
  );
}

/** Changes values of a body: takes some away, puts others in their places, makes them many or deep. */
function jsonMutations(live: LiveState): Mutation<FuzzRequest> {
  const steps = fc.array(fc.tuple(fc.noBias(fc.nat()), valueMutations(live)), { minLength: 1, maxLength: 3 });
  return steps.map((changes) => (request) => {
    const isJson = request.headers.some(
      ([name, value]) => name === "Content-Type" && value === "application/json",
    );
    if (request.body === undefined || !isJson) return request;
    const holder: Container = { body: JSON.parse(textOfBytes(request.body)) as unknown };
    for (const [place, change] of changes) {
      const places = placesIn(holder);
      const [container, key] = places[place % places.length] ?? [holder, "body"];
      change(container, key);
    }
    return { ...request, body: bytesOfText(writeJson(holder.body)) };
  });
}

/** Changes what stands at a place of a body. */
function valueMutations(live: LiveState): fc.Arbitrary<(container: Container, key: string) => void> {
  const names = fc.oneof(
    fc.constantFrom(
      "limit",
      "cursor",
      "data",
      "pk",
      "sk",
      "x",
      "constructor",
      "",
      "\u001b[2J\u0007",
      "\u202ex\n",
    ),
    disturb.map((change) => change("data")),
  );
  return fc.oneof(
    // the whole body stays something
    fc.constant((container: Container, key: string) => {
      if (Array.isArray(container)) container.splice(Number(key), 1);
      else if (key !== "body") Reflect.deleteProperty(container, key);
    }),
    names.map((name) => (container: Container, key: string) => {
      if (Array.isArray(container)) container.push(container[Number(key)]);
      else container[name] = container[key];
    }),
    ...[
      fc
        .oneof(fc.constant(300), fc.integer({ min: 1, max: 200 }))
        .map((times) => (value: unknown): unknown => {
          if (Array.isArray(value)) return Array.from({ length: times }, (): unknown => value[0] ?? null);
          return typeof value === "string" && value.length * times < 100_000 ? value.repeat(times) : [value];
        }),
      live.anyValue.map((value) => () => value),
      oddJson.map((odd) => () => odd),
      fc.tuple(disturb, fc.nat(4)).map(([change, at]) => (value: unknown): unknown => {
        if (typeof value === "string") return change(value);
        if (typeof value === "number") return [-value, value + 0.5, value * 1e18, value - 1, value + 1][at];
        return typeof value === "boolean" ? !value : {};
      }),
    ].map((changes: Mutation<unknown>) =>
      changes.map((change) => (container: Container, key: string) => {
        container[key] = change(container[key]);
      }),
    ),
  );
}

/** The places of a container and of what it holds; of a long list only the first ones. */
function placesIn(container: Container): (readonly [Container, string])[] {
  const keys = Array.isArray(container)
    ? [...container.slice(0, 30).keys()].map(String)
    : Object.keys(container);
  return keys.flatMap((key) => {
    const value = container[key];
    const isContainer = typeof value === "object" && value !== null && !(value instanceof JsonText);
    return [[container, key] as const, ...(isContainer ? placesIn(value as Container) : [])];
  });
}
