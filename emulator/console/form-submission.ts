import type { MiddlewareHandler } from "hono";
import { bufferToFormData } from "hono/utils/buffer";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { readBytes } from "../request/read-bytes.js";
import { buildBody } from "./contract.js";
import {
  attemptOrShowRefusal,
  type ConsoleEnvironment,
  type FormCall,
  type UploadedFile,
} from "./environment.js";

/** The largest file that the control plane accepts, plus room for the form around it. */
const maxBytes = emulatorLimits.uploadBytes + 1024 * 1024;

/** Reads a form and its file. Values with the same name are joined by commas. */
export async function readForm(request: Request) {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new Problem("unsupported-media-type", "The console accepts only forms.");
  const bytes = new Uint8Array(await readBytes(request, maxBytes));
  const form = await bufferToFormData(bytes.buffer, type).catch(() => {
    throw new Problem("malformed-request", "The form cannot be read.");
  });
  const fields: Record<string, string> = {};
  let file: UploadedFile | undefined;
  for (const [name, value] of form)
    if (typeof value !== "string") file = value;
    else {
      // browsers send a line break as two characters
      const text = value.replaceAll("\r\n", "\n");
      fields[name] = fields[name] === undefined ? text : `${fields[name]},${text}`;
    }
  return { fields, file };
}

/** Makes the call of a form, then redirects to the page, or shows it with the refusal or the response. */
export const submitForm: MiddlewareHandler<ConsoleEnvironment> = async (c, next) => {
  const { _call: text, ...fields } = c.get("fields");
  if (text === undefined) return next();
  const visit = c.get("visit");
  const call = JSON.parse(text) as FormCall;
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
