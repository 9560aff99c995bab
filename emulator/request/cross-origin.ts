import type { Profile } from "../../openapi/gaps/profile.js";
import type { Incoming } from "./incoming.js";

/** Adds the headers that let a page of another origin read an answer (gap `cross-origin`). */
export function addCrossOriginHeaders(
  headers: Record<string, string>,
  incoming: Incoming,
  profile: Profile,
): void {
  if (profile["cross-origin"] === "none" || incoming.header("origin") === undefined) return;
  headers["Access-Control-Allow-Origin"] = "*";
  headers["Access-Control-Expose-Headers"] = "*";
}

/** Headers that answer a browser's question before a request, or nothing when this is no such question. */
export function preflightHeaders(
  incoming: Incoming,
  allowedMethods: readonly string[],
  profile: Profile,
): Record<string, string> | undefined {
  if (incoming.method !== "OPTIONS" || profile["cross-origin"] === "none") return undefined;
  if (
    incoming.header("origin") === undefined ||
    incoming.header("access-control-request-method") === undefined
  )
    return undefined;
  return {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": allowedMethods.join(", "),
    "Access-Control-Allow-Headers":
      incoming.header("access-control-request-headers") ?? "Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
  };
}
