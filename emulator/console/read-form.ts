import { bufferToFormData } from "hono/utils/buffer";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { readBytes } from "../request/read-bytes.js";

export type SentFile = Exclude<ReturnType<FormData["get"]>, string | null>;

/** The largest file that the control plane takes, and the form around it. */
const maxBytes = emulatorLimits.uploadBytes + 1024 * 1024;

/** Reads a form and its file; values of the same name come with commas between. */
export async function readForm(request: Request) {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new Problem("unsupported-media-type", "The console takes forms alone.");
  const bytes = new Uint8Array(await readBytes(request, maxBytes));
  const form = await bufferToFormData(bytes.buffer, type).catch(() => {
    throw new Problem("malformed-request", "The form cannot be read.");
  });
  const fields: Record<string, string> = {};
  let file: SentFile | undefined;
  for (const [name, value] of form)
    if (typeof value !== "string") file = value;
    else {
      // line breaks are sent as two characters
      const text = value.replaceAll("\r\n", "\n");
      fields[name] = fields[name] === undefined ? text : `${fields[name]},${text}`;
    }
  return { fields, file };
}
