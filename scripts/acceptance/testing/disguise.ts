import { isLosslessNumber, parse } from "lossless-json";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { stringifyJson } from "../../../conformance/client/json-text.js";

/** Fields of bodies that hold ids, tokens and cursors; what clients have given is left as it is. */
const opaque =
  /^(?:id|\w*Id|accessToken|refreshToken|nextCursor|nextPageToken|cursor|pageToken|ownerUserId|invitedBy|key)$/;

/** Fields that hold what clients have given. */
const given = new Set([
  "data",
  "item",
  "schema",
  "rows",
  "settings",
  "defaultValue",
  "filterValues",
  "parameters",
]);

/** The item of a transaction may be the whole record, which the service has given its times. */
const isGiven = (name: string, value: unknown) =>
  given.has(name) && !(name === "item" && Object.keys(value ?? {}).includes("updatedAt"));

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What stands before every id, and is told from what a client has made up. */
const mark = "other-";

/**
 * An emulator behind a relay that gives every id, token and cursor another text, moves every instant by three days,
 * turns the order of fields round, and takes longer for some answers than for others. It conforms as the emulator does.
 */
export function disguiseIds(fetch: Fetch): Fetch {
  let number = 0;
  return async (address, init) => {
    const { origin, pathname, search } = new URL(address);
    // who uses the control plane sees the emulator as it is, ids aside
    const target = origin + unmarkedPath(pathname) + search.replaceAll(mark, "");
    const headers = Object.fromEntries(
      Object.entries((init.headers ?? {}) as Record<string, string>).map(([name, value]) => [
        name,
        name.toLowerCase() === "authorization" ? value.replace(`Bearer ${mark}`, "Bearer ") : value,
      ]),
    );
    const body = typeof init.body === "string" ? unmarkedBody(init.body) : init.body;
    const response = await fetch(target, { ...init, headers, ...(body === undefined ? {} : { body }) });
    if (++number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const type = response.headers.get("content-type") ?? "";
    if (!type.includes("json") || pathname.includes("/_emulator/clock")) return response;
    const text = await response.text();
    const kept = new Headers(response.headers);
    kept.delete("content-length");
    return new Response(text === "" ? null : stringifyJson(change(parse(text), "")), {
      status: response.status,
      headers: kept,
    });
  };
}

function unmarkedPath(path: string): string {
  return path
    .split("/")
    .map((part) => (part.startsWith(mark) ? part.slice(mark.length) : part))
    .join("/");
}

/** A marked text of a request as the emulator knows it. */
function unmarkedBody(text: string): string {
  return text.replaceAll(`"${mark}`, '"');
}

function later(time: string): string {
  return new Date(Date.parse(time) + 3 * 86_400_000).toISOString();
}

function change(value: unknown, field: string): unknown {
  if (typeof value === "string") {
    if (opaque.test(field)) return mark + value;
    return instant.test(value) ? later(value) : value;
  }
  if (Array.isArray(value)) return value.map((entry) => change(entry, field));
  // numbers stay as they are spelled
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => [name, isGiven(name, part) ? part : change(part, name)] as const)
      .reverse(),
  );
}
