import type { MiddlewareHandler } from "hono";
import { buildBody } from "./contract.js";
import { attempt, type ConsoleEnvironment, type FormCall } from "./environment.js";

/** Makes the call of a form. Then the page is asked for anew, or shown at once with the refusal or the answer. */
export const sendForm: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const { _call: text, ...fields } = c.get("fields");
  if (text === undefined) return next();
  const visit = c.get("visit");
  const call = JSON.parse(text) as FormCall;
  const { operation, params, as, body, done, next: page = visit.self } = call;
  const reply = await attempt(c, async () => {
    const content = buildBody(operation, visit.profile, fields, body);
    return visit.call(operation, { params: { ...fields, ...params }, as, body: content });
  });
  if (reply === undefined) return next();
  if (done === undefined) {
    c.set("sent", { call, reply });
    return next();
  }
  const url = new URL(page, visit.origin);
  url.searchParams.set("done", done);
  return c.redirect(`${url.pathname}${url.search}`, 303);
};
