import type { Fetch } from "../client/exchange.js";
import type { AnyJson, InterceptedRequest, Interceptor } from "./intercept.js";

/** Fields with data from clients, which the deployment must not change. */
const clientFields = new Set(["data", "item", "schema", "rows", "settings", "defaultValue"]);

/** Matches a timestamp in the format of the emulator. */
export const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Changes {
  readonly object?: (own: object, request: InterceptedRequest) => object;
  readonly text?: (own: string, request: InterceptedRequest) => string;
}

/** Returns a body in which every object and text is changed, except data from clients. */
function rewriteJson(body: AnyJson, changes: Changes, request: InterceptedRequest): AnyJson {
  if (typeof body === "string") return changes.text?.(body, request) ?? body;
  if (Array.isArray(body)) return body.map((entry) => rewriteJson(entry, changes, request));
  // Numbers that a double cannot represent are objects, too.
  if (typeof body !== "object" || body === null || Object.getPrototypeOf(body) !== Object.prototype)
    return body;
  const own = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      clientFields.has(name) ? value : rewriteJson(value, changes, request),
    ]),
  );
  return changes.object?.(own, request) ?? own;
}

/** Rewrites every response with a JSON body. */
export function rewriteResponses(changes: Changes): Interceptor {
  return async (request) => {
    const response = await request.send();
    return typeof response.body === "object" && response.body !== null
      ? { ...response, body: rewriteJson(response.body, changes, request) }
      : response;
  };
}

/** Returns other times, which are some minutes later. */
export const addMinutesToTimestamps = (minutes: number): Interceptor =>
  rewriteResponses({
    text: (text) =>
      instantPattern.test(text) ? new Date(Date.parse(text) + minutes * 60_000).toISOString() : text,
  });

/** Rounds times down to whole seconds. */
export const truncateTimestampsToSeconds = rewriteResponses({
  text: (text) => (instantPattern.test(text) ? text.replace(/\.\d+/, "") : text),
});

/**
 * Shows clients other texts than those of the deployment, which are restored in requests.
 *
 * @param own matches the texts in responses
 * @param disguise returns another text; different ones for different numbers
 * @param shown matches the other texts in requests
 * @param nameOf returns the name by which another text is recognized
 */
export function disguiseTexts(
  own: RegExp,
  disguise: (text: string, number: number) => string,
  shown: RegExp,
  nameOf: (text: string) => string = (text) => text,
): (fetch: Fetch) => Fetch {
  return (fetch) => {
    const disguises = new Map<string, string>();
    const originals = new Map<string, string>();
    const show = (text: string) => {
      const other = disguises.get(text) ?? disguise(text, disguises.size);
      disguises.set(text, other);
      originals.set(nameOf(other), text);
      return other;
    };
    const restore = (text: string) => text.replaceAll(shown, (one) => originals.get(nameOf(one)) ?? one);
    return async (url, init) => {
      const { origin } = new URL(url);
      const sent = new Headers(init.headers);
      for (const [name, value] of [...sent]) sent.set(name, restore(value));
      const body = typeof init.body === "string" ? { body: restore(init.body) } : {};
      const target = origin + restore(url.slice(origin.length));
      const response = await fetch(target, { ...init, ...body, headers: sent });
      const text = (await response.text()).replaceAll(own, show);
      const headers = new Headers(response.headers);
      headers.delete("content-length");
      return new Response(text === "" ? null : text, { status: response.status, headers });
    };
  };
}

/** Replaces the access tokens of the deployment with different tokens that give the same access. */
export const disguiseTokens = (
  disguise: (token: string) => string,
  nameOf?: (token: string) => string,
): ((fetch: Fetch) => Fetch) =>
  disguiseTexts(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, disguise, /[\w.-]{20,}/g, nameOf);

/** Rewrites the claims of an access token and keeps its signature. */
export function rewriteClaims(change: (claims: AnyJson) => object): (token: string) => string {
  return (token) => {
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = change(JSON.parse(Buffer.from(payload, "base64url").toString()));
    return [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  };
}
