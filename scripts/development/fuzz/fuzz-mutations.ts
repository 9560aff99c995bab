import fc from "fast-check";
import { JsonText, stringifyJson } from "../../../conformance/client/json-text.js";
import {
  serializeRequest,
  toUtf8BinaryString,
  type FuzzRequest,
  encodeForUrl,
  decodeUtf8BinaryString,
  setHeader,
} from "./fuzz-request.js";
import { textMutation, oddJsonArbitrary, withRareValue } from "./fuzz-texts.js";
import type { LiveState } from "./live-state.js";

type Mutation<Value> = fc.Arbitrary<(value: Value) => Value>;
type Container = Record<string, unknown>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "QUERY"];

const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  Authorization: [
    ...["Bearer", "Bearer ", "Bearer eyJhbGciOiJub25lIn0.e30.", "Basic b3duZXI6eA==", "bearer dsk_demo_all"],
    ...["Bearer dsk_demo_all dsk_demo_all", "x".repeat(3000)],
  ],
  "Content-Type": [
    ...["text/plain", "application/json; charset=utf-16", "application/xml", "", "application/vnd.sqlite3"],
    ...["application/octet-stream", "APPLICATION/JSON;charset=UTF-8"],
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

/** Headers that make it unclear where the next request on the connection begins. */
const framingHeaders: typeof oddHeaders = {
  Connection: ["close", "upgrade", "keep-alive, close"],
  "Content-Length": ["0", "1", "-1", "99999", "1e3", "0x10", "2, 2"],
  "Transfer-Encoding": ["chunked", "gzip, chunked", "identity"],
  Expect: ["100-continue", "200-ok"],
  Upgrade: ["websocket", "h2c"],
};

const oddBytes = ['"', "{", "\r\n", "\u0000", ",", "\\u", "]", "é", "\ufeff", "1e9"].map(toUtf8BinaryString);
const oddPathParts = [
  ...["/", "//", "/..", "%2F", "%2e%2e", "%00", "%", "%ff", "%EF%BB%BF", "?", "?limit=-1"],
  ...["&limit=1&limit=2", "#", ";", "%C3%A4", "*", "~", "/ns/side-3", "+", "x".repeat(6000)],
];

/** Mutates requests in one way, or leaves them unchanged. */
export function createRequestMutations(live: LiveState): Mutation<FuzzRequest> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant((request: FuzzRequest) => request) },
    { weight: 5, arbitrary: jsonMutations(live) },
    { weight: 2, arbitrary: bodyMutations },
    { weight: 2, arbitrary: identityMutations(live) },
    { weight: 2, arbitrary: withRareValue(5, targetMutations, methodMutations) },
    { weight: 2, arbitrary: withRareValue(20, headerMutations(oddHeaders, {}), manyHeaders) },
    { weight: 1, arbitrary: headerMutations(framingHeaders, { isOdd: true }) },
    { weight: 1, arbitrary: rawMutations },
  );
}

/** Mutates requests so that most of them are rejected. */
export function createInvalidatingMutations(live: LiveState): Mutation<FuzzRequest> {
  return fc.oneof(jsonMutations(live), identityMutations(live), bodyMutations);
}

/**
 * Edits a text in up to `maxEdits` places: removes, repeats or truncates up to `maxLength` characters, or inserts one of
 * the odd texts.
 */
function textMutations(odd: readonly string[], maxEdits: number, maxLength: number): Mutation<string> {
  const edit = fc.record({
    at: fc.noBias(fc.nat()),
    length: fc.nat(maxLength),
    insert: withRareValue(3, fc.constantFrom("", ...odd), fc.constantFrom("repeat", "truncate")),
  });
  return fc.array(edit, { minLength: 1, maxLength: maxEdits, size: "small" }).map(
    (edits) => (text) =>
      edits.reduce((edited, { at, length, insert }) => {
        const place = at % (edited.length + 1);
        const [head, tail] = [edited.slice(0, place), edited.slice(place)];
        if (insert === "truncate") return length > maxLength - 10 ? head : edited;
        return head + (insert === "repeat" ? tail.slice(0, length) + tail : insert + tail.slice(length));
      }, text),
  );
}

const byteMutations = textMutations(oddBytes, 6, 40);

const rawMutations: Mutation<FuzzRequest> = byteMutations.map((mutate) => (request) => ({
  ...request,
  raw: mutate(serializeRequest(request)),
}));

const bodyMutations: Mutation<FuzzRequest> = byteMutations.map(
  (mutate) => (request) =>
    request.body === undefined ? request : { ...request, body: mutate(request.body) },
);

const targetMutations: Mutation<FuzzRequest> = textMutations(oddPathParts, 1, 2).map(
  (mutate) => (request) => ({ ...request, target: `/${mutate(request.target.slice(1))}` }),
);

// an unknown method ends the connection
const methodMutations: Mutation<FuzzRequest> = fc
  .constantFrom(...methods)
  .map((method) => (request) => ({ ...request, method, isOdd: true }));

/** Replaces the credential, or an id in the path. */
function identityMutations(live: LiveState): Mutation<FuzzRequest> {
  const credentials = fc.oneof(live.valueOf("apiKey"), live.valueOf("accessToken"));
  return fc
    .tuple(fc.nat(2), credentials, fc.option(live.anyValue, { freq: 2 }))
    .map(([kind, credential = "", value]) => (request) => {
      if (kind === 0) return setHeader(request, "Authorization", `Bearer ${credential}`);
      const segments = request.target.split("/");
      const at = segments.findLastIndex((segment) => /%|_|\d/.test(segment));
      if (at < 3) return setHeader(request, "Authorization", undefined);
      return { ...request, target: segments.with(at, encodeForUrl(value ?? `${segments[at]}x`)).join("/") };
    });
}

/** Sets a header, or adds a second header with the same name. */
function headerMutations(
  headers: typeof oddHeaders,
  more: Pick<FuzzRequest, "isOdd">,
): Mutation<FuzzRequest> {
  const named = Object.entries(headers).map(([name, values]) =>
    fc.constantFrom(...values.map((value) => [name, value] as const)),
  );
  return fc.tuple(fc.oneof(...named), fc.nat(3)).map(([[name, value], kind]) => (request) => {
    const { headers: others } = kind === 0 ? request : setHeader(request, name, undefined);
    return { ...request, ...more, headers: [...others, [name, value]] };
  });
}

const manyHeaders: Mutation<FuzzRequest> = fc.integer({ min: 1, max: 300 }).map((count) => (request) => ({
  ...request,
  headers: [...request.headers, ...Array.from({ length: count }, (_, at) => [`x-${at}`, "1"] as const)],
}));

/** Mutates values in a JSON body. */
function jsonMutations(live: LiveState): Mutation<FuzzRequest> {
  const steps = fc.array(fc.tuple(fc.noBias(fc.nat()), valueMutations(live)), { minLength: 1, maxLength: 3 });
  return steps.map((mutations) => (request) => {
    const isJson = request.headers.some(
      ([name, value]) => name === "Content-Type" && value === "application/json",
    );
    if (request.body === undefined || !isJson) return request;
    const holder: Container = { body: JSON.parse(decodeUtf8BinaryString(request.body)) as unknown };
    for (const [at, mutate] of mutations) {
      const places = listPlaces(holder);
      const [container, key] = places[at % places.length] ?? [holder, "body"];
      mutate(container, key);
    }
    return { ...request, body: toUtf8BinaryString(stringifyJson(holder.body)) };
  });
}

/** Removes a value, copies it under another name, or replaces it. */
function valueMutations(live: LiveState): fc.Arbitrary<(container: Container, key: string) => void> {
  const names = withRareValue(
    11,
    fc.constantFrom(
      ...["limit", "cursor", "data", "pk", "sk", "x", "constructor", "", "\u001b[2J\u0007", "\u202ex\n"],
    ),
    textMutation.map((mutate) => mutate("data")),
  );
  const many: Mutation<unknown> = fc
    .oneof(fc.constant(300), fc.integer({ min: 1, max: 200 }))
    .map((times) => (value) => {
      if (Array.isArray(value)) return Array.from({ length: times }, (): unknown => value[0] ?? null);
      return typeof value === "string" && value.length * times < 100_000 ? value.repeat(times) : [value];
    });
  const others: Mutation<unknown> = fc.tuple(textMutation, fc.nat(4)).map(([mutate, at]) => (value) => {
    if (typeof value === "string") return mutate(value);
    if (typeof value === "number") return [-value, value + 0.5, value * 1e18, value - 1, value + 1][at];
    return typeof value === "boolean" ? !value : {};
  });
  const values = fc.oneof(
    many,
    others,
    fc.oneof(live.anyValue, oddJsonArbitrary).map((value) => () => value),
  );
  return fc.oneof(
    fc.constant((container: Container, key: string) => {
      if (Array.isArray(container)) container.splice(Number(key), 1);
      // never remove the whole body
      else if (key !== "body") Reflect.deleteProperty(container, key);
    }),
    names.map((name) => (container: Container, key: string) => {
      if (Array.isArray(container)) container.push(container[Number(key)]);
      else container[name] = container[key];
    }),
    {
      weight: 4,
      arbitrary: values.map((mutate) => (container: Container, key: string) => {
        container[key] = mutate(container[key]);
      }),
    },
  );
}

/** Lists the places in a container, at any depth; in a list, only the first 30. */
function listPlaces(container: Container): (readonly [Container, string])[] {
  const keys = Array.isArray(container)
    ? [...container.slice(0, 30).keys()].map(String)
    : Object.keys(container);
  return keys.flatMap((key) => {
    const value = container[key];
    const isContainer = typeof value === "object" && value !== null && !(value instanceof JsonText);
    return [[container, key] as const, ...(isContainer ? listPlaces(value as Container) : [])];
  });
}
