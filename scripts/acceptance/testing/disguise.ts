import { isLosslessNumber, parse } from "lossless-json";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { stringifyJson } from "../../../conformance/client/json-text.js";

/** Names of fields that contain ids, tokens and cursors. Data from clients is not changed. */
const opaque =
  /^(?:id|\w*Id|accessToken|refreshToken|nextCursor|nextPageToken|cursor|pageToken|ownerUserId|invitedBy|key)$/;

/** Names of fields that contain data from clients. */
const clientDataFields = new Set([
  "data",
  "item",
  "schema",
  "rows",
  "settings",
  "defaultValue",
  "filterValues",
  "parameters",
]);

/** Whether a field contains data from clients. The `item` of a transactional get may also be a record with timestamps. */
const isClientData = (name: string, value: unknown) =>
  clientDataFields.has(name) && !(name === "item" && Object.keys(value ?? {}).includes("updatedAt"));

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The prefix of every disguised id. No id that a client makes up begins with it. */
const prefix = "other-";

/**
 * Simulates a relay that adds a prefix to every id, token and cursor, adds three days to every timestamp, reverses the
 * order of fields, and delays some responses. An emulator behind this relay still conforms.
 */
export function disguiseIds(fetch: Fetch): Fetch {
  let number = 0;
  return async (address, init) => {
    const { origin, pathname, search } = new URL(address);
    const target = origin + removePrefixesFromPath(pathname) + search.replaceAll(prefix, "");
    const headers = Object.fromEntries(
      Object.entries((init.headers ?? {}) as Record<string, string>).map(([name, value]) => [
        name,
        name.toLowerCase() === "authorization" ? value.replace(`Bearer ${prefix}`, "Bearer ") : value,
      ]),
    );
    const body = typeof init.body === "string" ? removePrefixesFromBody(init.body) : init.body;
    const response = await fetch(target, { ...init, headers, ...(body === undefined ? {} : { body }) });
    if (++number % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const type = response.headers.get("content-type") ?? "";
    if (!type.includes("json") || pathname.includes("/_emulator/clock")) return response;
    const text = await response.text();
    const kept = new Headers(response.headers);
    kept.delete("content-length");
    return new Response(text === "" ? null : stringifyJson(disguiseValue(parse(text), "")), {
      status: response.status,
      headers: kept,
    });
  };
}

function removePrefixesFromPath(path: string): string {
  return path
    .split("/")
    .map((part) => (part.startsWith(prefix) ? part.slice(prefix.length) : part))
    .join("/");
}

function removePrefixesFromBody(text: string): string {
  return text.replaceAll(`"${prefix}`, '"');
}
function addThreeDays(time: string): string {
  return new Date(Date.parse(time) + 3 * 86_400_000).toISOString();
}

function disguiseValue(value: unknown, field: string): unknown {
  if (typeof value === "string") {
    if (opaque.test(field)) return prefix + value;
    return instant.test(value) ? addThreeDays(value) : value;
  }
  if (Array.isArray(value)) return value.map((entry) => disguiseValue(entry, field));
  // numbers keep their notation
  if (typeof value !== "object" || value === null || isLosslessNumber(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => [name, isClientData(name, part) ? part : disguiseValue(part, name)] as const)
      .reverse(),
  );
}
