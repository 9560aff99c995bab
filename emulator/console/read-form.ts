import { bufferToFormData } from "hono/utils/buffer";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { readBytes } from "../request/read-bytes.js";

export type SentFile = Exclude<ReturnType<FormData["get"]>, string | null>;

/** What a form sent. */
export interface SentForm {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly files: Readonly<Partial<Record<string, SentFile>>>;
}

/** The largest file that the control plane takes, and the form around it. */
const maxBytes = emulatorLimits.uploadBytes + 1024 * 1024;

/** Reads a form; values of the same name come with commas between. */
export async function readForm(request: Request): Promise<SentForm> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new Problem("unsupported-media-type", "The console takes forms alone.");
  const bytes = new Uint8Array(await readBytes(request, maxBytes));
  const form = await bufferToFormData(bytes.buffer, type).catch(() => {
    throw new Problem("malformed-request", "The form cannot be read.");
  });
  const fields: Record<string, string> = {};
  const files: Record<string, SentFile> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    const texts = values.filter((one) => typeof one === "string");
    const [file] = values.filter((one) => typeof one !== "string");
    // line breaks are sent as two characters
    if (texts.length > 0) fields[name] = texts.join(",").replaceAll("\r\n", "\n");
    else if (file !== undefined) files[name] = file;
  }
  return { fields, files };
}
