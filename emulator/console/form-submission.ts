import type { MiddlewareHandler } from "hono";
import { bufferToFormData } from "hono/utils/buffer";
import { isObject } from "../../openapi/text/is-object.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { readBytes } from "../request/read-bytes.js";
import { buildBody } from "./contract.js";
import { rejectInvalidFormToken } from "./guard.js";
import {
  attemptOrShowRefusal,
  type ConsoleEnvironment,
  type FormCall,
  type UploadedFile,
} from "./environment.js";

/** Allows the largest file that the control plane accepts. */
const maxFileFormBytes = emulatorLimits.uploadBytes + 1024 * 1024;
/** Allows the data of the largest item, which is up to three times as long in a form. */
const maxFormBytes = 2 * 1024 * 1024;

/**
 * Reads a form and its file. Joins values with the same name with commas. The token is the first field of the console's
 * forms, so that other forms are rejected before they are parsed.
 */
export async function readForm(request: Request) {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new Problem(
      "unsupported-media-type",
      "The console accepts only requests from forms (URL-encoded or multipart).",
    );
  const limit = /^multipart/i.test(type) ? maxFileFormBytes : maxFormBytes;
  const bytes = new Uint8Array(await readBytes(request, limit));
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  rejectInvalidFormToken(/\b_token(?:=|"\r\n\r\n)([\w-]+)/.exec(start)?.[1]);
  const form = await bufferToFormData(bytes.buffer, type).catch(() => {
    throw new Problem("malformed-request", "The form data is not valid.");
  });
  // Without inherited fields such as `constructor`.
  const fields = Object.create(null) as Record<string, string>;
  form.delete("_token");
  let file: UploadedFile | undefined;
  for (const [name, value] of form)
    if (typeof value !== "string") file = value;
    else {
      // Browsers send a line break as two characters.
      const text = value.replaceAll("\r\n", "\n");
      fields[name] = fields[name] === undefined ? text : `${fields[name]},${text}`;
    }
  return { fields, file };
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
