import type { MiddlewareHandler } from "hono";
import { isObject } from "../../openapi/text/is-object.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { Problem } from "../domain/problem.js";
import { readBytes } from "../request/read-bytes.js";
import { buildBody, type FieldValues } from "./contract.js";
import { attemptOrShowRefusal, type ConsoleEnvironment, type FormCall } from "./environment.js";

/** Allows the data of the largest item, which is up to three times as long in a form. */
const maxFormBytes = 2 * 1024 * 1024;

/** Reads the fields of a form. Joins values with the same name with commas. */
export async function readForm(request: Request): Promise<FieldValues> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    throw new Problem("unsupported-media-type", "The console accepts only requests from URL-encoded forms.");
  // Without inherited fields such as `constructor`.
  const fields = Object.create(null) as Record<string, string>;
  const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, maxFormBytes)));
  for (const [name, value] of form) {
    // Browsers send a line break as two characters.
    const text = value.replaceAll("\r\n", "\n");
    fields[name] = fields[name] === undefined ? text : `${fields[name]},${text}`;
  }
  return fields;
}

/** Makes the call of a form. Then redirects to the page, or shows the page with the refusal or the response. */
export const submitForm: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const { _call: text, ...fields } = c.get("fields");
  if (text === undefined) return next();
  const visit = c.get("visit");
  const call = parseCall(text);
  const { operation, params, as, body, done, next: page = visit.self } = call;
  const reply = await attemptOrShowRefusal(c, async () => {
    const content = buildBody(operation, visit.profile, fields, body);
    return visit.call(operation, { params: { ...fields, ...params }, as, body: content, isAction: true });
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

/** Parses the call in a form. Browser extensions and developer tools can change forms. */
function parseCall(text: string): FormCall {
  const call = tryTo(() => JSON.parse(text) as unknown);
  if (!isFormCall(call) || !URL.canParse(call.next ?? "", "http://localhost"))
    throw new Problem(
      "malformed-request",
      "The console cannot read this form. Reload the page, and send the form again.",
    );
  return call;
}

function isFormCall(value: unknown): value is FormCall {
  if (!isObject(value)) return false;
  const { operation, params = {}, as = "", body = {}, done = "", next = "" } = value;
  return (
    isObject(params) &&
    isObject(body) &&
    [operation, as, done, next, ...Object.values(params)].every(
      (one) => typeof one === "string" && one.isWellFormed(),
    )
  );
}
