import { bytesOf, type FuzzRequest, headerOf, withHeader } from "./fuzz-request.js";
import type { LiveState } from "./live-state.js";
import { mutateJson } from "./mutate-json.js";
import type { Random } from "./random.js";
import { framingHeaders, methods, oddHeaders } from "./texts.js";

type Mutate = (request: FuzzRequest, random: Random, live: LiveState) => FuzzRequest;

/** Every level at which a request is changed, and how often that happens. */
const levels: readonly (readonly [weight: number, Mutate])[] = [
  [8, (request) => request],
  [5, jsonValues],
  [2, jsonText],
  [2, semantics],
  [2, path],
  [2, headers],
  [1, framing],
  [1, rawBytes],
];

/** Changes a request at some level, or leaves it as it is. */
export function mutateRequest(request: FuzzRequest, random: Random, live: LiveState): FuzzRequest {
  return random.weighted(levels)(request, random, live);
}

/** Changes a request until it is most probably refused. */
export function spoilRequest(request: FuzzRequest, random: Random, live: LiveState): FuzzRequest {
  return random.pick([jsonValues, semantics, jsonText])(request, random, live);
}

function jsonValues(request: FuzzRequest, random: Random, live: LiveState): FuzzRequest {
  if (request.body === undefined || !isJson(request)) return request;
  return { ...request, body: Buffer.from(mutateJson(textOf(request.body), random, live)) };
}

/** Changes the characters of a body, or the bytes of a file. */
function jsonText(request: FuzzRequest, random: Random): FuzzRequest {
  return request.body === undefined ? request : { ...request, body: changeBytes(request.body, random) };
}

/** Another one's credential, ids of something else. */
function semantics(request: FuzzRequest, random: Random, live: LiveState): FuzzRequest {
  if (random.once(3))
    return withHeader(
      request,
      "Authorization",
      `Bearer ${live.pick(random.pick(["apiKey", "accessToken"]), random) ?? ""}`,
    );
  const segments = request.target.split("/");
  const at = segments.findLastIndex((segment) => /%|_|\d/.test(segment));
  if (at < 3) return withHeader(request, "Authorization", undefined);
  segments[at] = encodeURIComponent(random.once(2) ? live.any(random) : `${segments[at]}x`);
  return { ...request, target: segments.join("/") };
}

function path(request: FuzzRequest, random: Random): FuzzRequest {
  // what is no method ends the connection
  if (random.once(5)) return { ...request, method: random.pick(methods), isAlone: true };
  const { target } = request;
  const at = 1 + random.below(target.length);
  const odd = random.pick([
    "/",
    "//",
    "/..",
    "%2F",
    "%2e%2e",
    "%00",
    "%",
    "%ff",
    "?",
    "?limit=-1",
    "&limit=1&limit=2",
    "#",
    ";",
    "%C3%A4",
    "*",
    "~",
    "x".repeat(random.size(6000)),
    "/ns/side-3",
    "+",
  ]);
  return { ...request, target: target.slice(0, at) + odd + target.slice(at + random.below(3)) };
}

function headers(request: FuzzRequest, random: Random): FuzzRequest {
  if (random.once(20))
    return {
      ...request,
      headers: [
        ...request.headers,
        ...Array.from({ length: random.size(300) }, (_, at) => [`x-${at}`, "1"] as const),
      ],
    };
  const [name, values] = random.pick(oddHeaders);
  const others = random.once(4) ? request : withHeader(request, name, undefined);
  return { ...others, headers: [...others.headers, [name, random.pick(values)]] };
}

function framing(request: FuzzRequest, random: Random): FuzzRequest {
  const [name, values] = random.pick(framingHeaders);
  return { ...request, headers: [...request.headers, [name, random.pick(values)]], isAlone: true };
}

function rawBytes(request: FuzzRequest, random: Random): FuzzRequest {
  return { ...request, raw: changeBytes(bytesOf(request), random) };
}

/** Flips, takes away, doubles and cuts off. */
function changeBytes(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = Buffer.from(bytes);
  for (let times = random.size(6); times > 0; times -= 1) {
    const at = random.below(changed.length + 1);
    const end = Math.min(changed.length, at + random.size(40));
    switch (random.below(5)) {
      case 0:
        if (at < changed.length) changed[at] = random.below(256);
        break;
      case 1:
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(end)]);
        break;
      case 2:
        changed = Buffer.concat([changed.subarray(0, end), changed.subarray(at)]);
        break;
      case 3:
        changed = Buffer.concat([
          changed.subarray(0, at),
          Buffer.from(random.pick(['"', "{", "\r\n", "\u0000", ",", "\\u", "]", "é", "\ufeff", "1e9"])),
          changed.subarray(at),
        ]);
        break;
      default:
        if (random.once(4)) changed = changed.subarray(0, at);
    }
  }
  return changed;
}

function isJson(request: FuzzRequest): boolean {
  return headerOf(request, "content-type") === "application/json";
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
