import type { Handler } from "hono";
import { emulatorLimits } from "../memory/limits.js";
import { readBytes } from "../request/read-bytes.js";
import { keepWorldOpenWhile, type ServiceContext, type ServiceEnv } from "./service-env.js";

/**
 * Reads the body, then continues.
 *
 * @throws problems `request-too-large`, `malformed-request`
 */
export function withRequestBody(handle: (c: ServiceContext) => Response): Handler<ServiceEnv> {
  return (c) =>
    keepWorldOpenWhile(c, async () => {
      await readBodyBytes(c);
      return handle(c);
    });
}

/** Reads the body of a request once, and again if middleware has replaced the request. */
export async function readBodyBytes(c: ServiceContext): Promise<Uint8Array> {
  const { raw } = c.req;
  const known = c.get("read");
  if (known?.of === raw) return known.bytes;
  const maxBytes = Math.min(
    c.get("world").profile["request-bytes-max"],
    c.get("operation")?.isPublic === true ? emulatorLimits.publicBodyBytes : Infinity,
  );
  const bytes = await readBytes(raw.bodyUsed ? getKeptBody(c) : raw, maxBytes);
  c.set("read", { of: raw, bytes });
  return bytes;
}

/** Returns the body that middleware has read. Hono keeps it. */
function getKeptBody({ req }: ServiceContext): Pick<Request, "headers" | "body" | "arrayBuffer"> {
  return { headers: new Headers(), body: null, arrayBuffer: () => req.arrayBuffer() };
}
