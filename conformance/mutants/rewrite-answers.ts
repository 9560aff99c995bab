import { type AnyJson, type Interceptor, changeBody } from "./intercept.js";

/** Fields with data from clients, which the deployment must not change. */
const clientFields = new Set(["data", "item", "schema", "rows", "settings", "defaultValue"]);

/** Matches a timestamp in the format of the emulator. */
export const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a body in which every object and text is changed, except data from clients. */
function rewriteJson(
  body: AnyJson,
  {
    object = (own) => own,
    text = (own) => own,
  }: { readonly object?: (own: object) => object; readonly text?: (own: string) => string },
): AnyJson {
  if (typeof body === "string") return text(body);
  if (Array.isArray(body)) return body.map((entry) => rewriteJson(entry, { object, text }));
  // Numbers that a double cannot represent are objects, too.
  if (typeof body !== "object" || body === null || Object.getPrototypeOf(body) !== Object.prototype)
    return body;
  return object(
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        clientFields.has(name) ? value : rewriteJson(value, { object, text }),
      ]),
    ),
  );
}

/** Rewrites every response with a JSON body. */
export function rewriteResponses(change: Parameters<typeof rewriteJson>[1]): () => Interceptor {
  return () => async (wire) => {
    const response = await wire.send();
    return typeof response.body === "object" && response.body !== null
      ? { ...response, body: rewriteJson(response.body, change) }
      : response;
  };
}

/** Rounds times down to whole seconds. */
export const inSeconds = rewriteResponses({
  text: (text) => (instantPattern.test(text) ? text.replace(/\.\d+/, "") : text),
});

/**
 * Replaces the access tokens of the deployment with different tokens that give the same access.
 *
 * @param nameOf returns the name by which a returned token is recognized
 */
export function disguiseTokens(
  disguise: (token: string) => string,
  nameOf: (token: string) => string = (token) => token,
): () => Interceptor {
  return () => {
    const known = new Map<string, string>();
    return async (wire) => {
      const credential = known.get(nameOf(wire.credential ?? ""));
      const response = await wire.send(credential === undefined ? {} : { credential });
      return changeBody(response, (body) => {
        for (const holder of [body, body?.authResponse])
          if (typeof holder?.accessToken === "string") {
            const shown = disguise(holder.accessToken as string);
            known.set(nameOf(shown), holder.accessToken as string);
            holder.accessToken = shown;
          }
      });
    };
  };
}

/** Rewrites the claims of an access token and keeps its signature. */
export function rewriteClaims(change: (claims: AnyJson) => object): (token: string) => string {
  return (token) => {
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = change(JSON.parse(Buffer.from(payload, "base64url").toString()));
    return [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  };
}
