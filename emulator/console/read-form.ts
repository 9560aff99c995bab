import type { HonoRequest } from "hono";
import { Problem } from "../problem.js";

/** What a form sent. */
export interface SentForm {
  readonly fields: Readonly<Partial<Record<string, string>>>;
  readonly files: Readonly<Partial<Record<string, File>>>;
}

/** Reads a form; values of the same name come with commas between. */
export async function readForm(request: HonoRequest): Promise<SentForm> {
  const type = request.header("content-type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type))
    throw new Problem("unsupported-media-type", "The console takes forms alone.");
  const body = await request.parseBody({ all: true }).catch(() => {
    throw new Problem("malformed-request", "The form cannot be read.");
  });
  const fields: Record<string, string> = {};
  const files: Record<string, File> = {};
  for (const [name, value] of Object.entries(body)) {
    const values = Array.isArray(value) ? value : [value];
    const texts = values.filter((one) => typeof one === "string");
    const [file] = values.filter((one) => typeof one !== "string");
    // line breaks are sent as two characters
    if (texts.length > 0) fields[name] = texts.join(",").replaceAll("\r\n", "\n");
    else if (file !== undefined) files[name] = file;
  }
  return { fields, files };
}
