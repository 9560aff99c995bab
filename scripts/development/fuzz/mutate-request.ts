import { JsonText, stringifyJson } from "../../../conformance/client/json-text.js";
import { anyData } from "../../../conformance/generators/item-data.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { type Draw, drawSize, drawValueOfSize, drawOneIn, insertOddText, pick, text } from "./draw.js";
import { type FuzzRequest, decodeText, serializeRequest, encodeText } from "./fuzz-request.js";
import type { KnownValues } from "./known-values.js";

type Container = Record<string, unknown>;
type Headers = Readonly<Record<string, readonly string[]>>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "get", "QUERY"];

const oddHeaders: Headers = {
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

/** Headers that make it unclear where the body ends. */
const framingHeaders: Headers = {
  Connection: ["upgrade", "keep-alive, close"],
  "Content-Length": ["0", "1", "-1", "99999", "1e3", "0x10", "2, 2"],
  "Transfer-Encoding": ["chunked", "gzip, chunked", "identity"],
  Expect: ["100-continue", "200-ok"],
  Upgrade: ["websocket", "h2c"],
};

const oddBytes = ['"', "{", "\r\n", "\0", ",", "\\u", "]", "é", "\ufeff", "1e9"]
  .map(encodeText)
  .concat("\xff");
const oddPathParts = [
  ...["/", "//", "/..", "%2F", "%2e%2e", "%00", "%", "%ff", "%EF%BB%BF", "?", "?limit=-1"],
  ...["&limit=1&limit=2", "#", ";", "%C3%A4", "*", "~", "/ns/side-3", "+", "x".repeat(6000)],
];
/** JSON that is unusual in any field. */
const oddJson = [
  ...["null", "true", "-0", "-1", "1e400", "1e-400", "9007199254740993", "123456789012345678901234.5"],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\ufeff"', '"\\u202e\\u0007"', '"__proto__"', '"a@b"'],
  ...['"2030-02-30T25:61:00Z"', '"P999999999D"', '"../../etc/passwd"', '"\'; DROP TABLE items; --"'],
  ...[
    "[]",
    "{}",
    '{"$ref":"#"}',
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
    `${"[".repeat(50)}${"]".repeat(50)}`,
  ],
].map((json) => new JsonText(json));
const oddNames = ["x", "constructor", "", "\u001b[2J\u0007", "\u202ex\n"];
const data = () => anyData;

/** Frequent kinds are repeated. */
const kindsOfMutation = [
  ...["none", "none", "none", "none", "json", "json", "json", "json", "json"],
  ...["body", "target", "header", "odd"],
] as const;

/** Twice the largest limit of the emulator. With larger bodies, sending them would take most of the measured time. */
const maxBodyBytes = 32 * 1024 * 1024;

/** Mutates a request in one way, or leaves it unchanged. */
export function mutateRequest(draw: Draw, request: FuzzRequest, known: KnownValues): FuzzRequest {
  const mutated = mutateOnce(draw, request, known);
  return (mutated.body?.length ?? 0) > maxBodyBytes ? request : mutated;
}

function mutateOnce(draw: Draw, request: FuzzRequest, known: KnownValues): FuzzRequest {
  const { body } = request;
  switch (pick(draw, kindsOfMutation)) {
    case "none":
      return request;
    case "json": {
      // deep JSON would exhaust the stack
      const isDeep = body?.includes("[".repeat(1000)) === true;
      const parsed = isDeep ? undefined : tryTo(() => JSON.parse(decodeText(body ?? "")) as unknown);
      if (parsed === undefined) return request;
      return { ...request, body: encodeText(stringifyJson(mutateJson(draw, parsed, known))) };
    }
    case "body":
      return body === undefined ? request : { ...request, body: editText(draw, body, oddBytes) };
    case "target":
      return { ...request, target: `/${editText(draw, request.target.slice(1), oddPathParts)}` };
    case "header":
      return mutateHeaders(draw, request, oddHeaders);
    case "odd":
      switch (pick(draw, ["raw", "method", "framing", "many"] as const)) {
        case "raw":
          return { ...request, raw: editText(draw, serializeRequest(request), oddBytes) };
        case "method":
          return { ...request, method: pick(draw, methods), isOdd: true };
        case "framing":
          return { ...mutateHeaders(draw, request, framingHeaders), isOdd: true };
        case "many": {
          const more = Array.from({ length: drawSize(draw, 300) }, (_, at) => [`x-${at}`, "1"] as const);
          return { ...request, headers: [...request.headers, ...more] };
        }
      }
  }
}

/** Sets a header, or adds a second header with the same name. */
function mutateHeaders(draw: Draw, request: FuzzRequest, odd: Headers): FuzzRequest {
  const [name, values] = pick(draw, Object.entries(odd));
  const others = drawOneIn(draw, 4) ? request.headers : request.headers.filter(([given]) => given !== name);
  return { ...request, headers: [...others, [name, pick(draw, values)]] };
}

/** Edits a text in some places: removes, repeats or truncates characters, or inserts one of the odd texts. */
function editText(draw: Draw, given: string, odd: readonly string[]): string {
  let edited = given;
  for (let times = drawSize(draw, 6); times > 0; times -= 1) {
    const place = pick(draw, [
      0,
      edited.length,
      drawSize(draw, edited.length),
      drawSize(draw, edited.length),
    ]);
    const length = drawSize(draw, 40);
    const [head, tail] = [edited.slice(0, place), edited.slice(place)];
    const edit = pick(draw, ["insert", "insert", "remove", "remove", "repeat", "truncate"]);
    if (edit === "insert") edited = head + pick(draw, odd) + tail;
    else if (edit === "remove") edited = head + tail.slice(length);
    else edited = edit === "repeat" ? head + tail.slice(0, length) + tail : head;
  }
  return edited;
}

/** Removes, copies or replaces some values in a body. */
function mutateJson(draw: Draw, body: unknown, known: KnownValues): unknown {
  const holder: Container = { body };
  for (let times = drawSize(draw, 4); times > 0; times -= 1) {
    const places = listPlaces(holder.body);
    const [container, key] =
      places.length === 0 || drawOneIn(draw, 10) ? ([holder, "body"] as const) : pick(draw, places);
    const value = container[key];
    switch (pick(draw, ["remove", "copy", "change", "change", "replace", "replace"])) {
      case "remove":
        if (Array.isArray(container)) container.splice(Number(key), 1);
        else if (container !== holder) Reflect.deleteProperty(container, key);
        break;
      case "copy":
        if (Array.isArray(container)) container.push(...Array<unknown>(drawSize(draw, 300)).fill(value));
        else container[pick(draw, [...oddNames, ...known.listNames(), draw(text)])] = value;
        break;
      case "change":
        container[key] = changeValue(draw, value);
        break;
      default:
        container[key] = drawReplacement(draw, known, key);
    }
  }
  return holder.body;
}

function changeValue(draw: Draw, value: unknown): unknown {
  if (typeof value === "string") return insertOddText(draw, value);
  if (typeof value === "number") return pick(draw, [-value, value + 0.5, value * 1e18, value - 1, value + 1]);
  return typeof value === "boolean" ? !value : [value];
}

function drawReplacement(draw: Draw, known: KnownValues, field: string): unknown {
  switch (pick(draw, ["known", "odd", "text", "data", "size"] as const)) {
    case "known":
      return pick(draw, known.list(pick(draw, known.listNames())));
    case "odd":
      return pick(draw, oddJson);
    case "text":
      return draw(text);
    case "data":
      return draw(data);
    case "size":
      return drawValueOfSize(draw, field);
  }
}

/** Lists the places in a container, at any depth; in a list, only the first 30. */
function listPlaces(container: unknown): readonly (readonly [container: Container, key: string])[] {
  if (typeof container !== "object" || container === null || container instanceof JsonText) return [];
  return Object.entries(container)
    .slice(0, 30)
    .flatMap(([key, value]) => [[container as Container, key] as const, ...listPlaces(value)]);
}
