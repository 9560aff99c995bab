import { isIPv4 } from "node:net";
import type { Profile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";

/**
 * Rejects requests to the control plane from pages of other origins, and from pages whose host name was made to resolve to
 * this machine (DNS rebinding).
 */
export function rejectCrossOrigin({ headers, url }: Request, allowHosts: readonly string[] = []): void {
  const host = headers.get("host") ?? undefined;
  const isAllowed = host !== undefined && isNamedOneOf(host, allowHosts);
  if (!hasTrustedHost(headers, allowHosts))
    throw new Problem(
      "not-local",
      `The control plane is available at localhost and IP addresses, but not at the host name ${host}. ${allowAdvice}`,
    );
  const origin = headers.get("origin");
  if (origin !== null && !isSameOrigin(origin, host, isAllowed || url.startsWith("https:")))
    throw new Problem("not-local", `Pages from ${origin} are not allowed to use the control plane.`);
}

/**
 * Rejects requests to host names that may have been made to resolve to this machine. The browser's same-origin policy does not
 * restrict the pages of such a host.
 */
export function rejectReboundHost({ headers }: Request, allowHosts: readonly string[]): void {
  if (hasTrustedHost(headers, allowHosts)) return;
  throw new Problem(
    "not-local",
    `The emulator is not available at the host name ${headers.get("host")}, because the profile sets \`cross-origin\` to \`none\`. ${allowAdvice}`,
  );
}

/** Whether the host is local, allowed or missing, so that it is not the host of a foreign page. */
function hasTrustedHost(headers: Headers, allowHosts: readonly string[]): boolean {
  const host = headers.get("host");
  return host === null || isLocal(host) || isNamedOneOf(host, allowHosts);
}

/** Rejects requests that a page of another site sends without CORS, such as images and forms. Allows links. */
export function rejectCrossSiteLoad({ headers, method }: Request): void {
  if (headers.get("sec-fetch-site") !== "cross-site") return;
  const mode = headers.get("sec-fetch-mode");
  if (mode === null || mode === "cors" || (mode === "navigate" && method === "GET")) return;
  throw new Problem(
    "not-local",
    "A page from another site can reach this URL only through a link or a CORS request.",
  );
}

/**
 * Rejects the creation of a namespace by a page of another site without CORS, because a page could reach the maximum number
 * of namespaces. Gap `cross-origin` decides whether requests with CORS are allowed.
 */
export function rejectCrossSiteCreation({ headers }: Request, profile: Profile): void {
  if (headers.get("sec-fetch-site") !== "cross-site") return;
  if (headers.get("sec-fetch-mode") === "cors" && profile["cross-origin"] !== "none") return;
  throw new Problem("not-local", "A page from another site is not allowed to create a namespace.");
}

/** Whether a host is localhost or a numeric address, which cannot be made to resolve to another machine. */
function isLocal(host: string): boolean {
  const name = getHostname(host);
  return name === "localhost" || name.endsWith(".localhost") || isIPv4(name) || name.startsWith("[");
}

/** Returns the name in a `Host` header, in lower case and without the port; empty if no URL can contain the header. */
function getHostname(host: string): string {
  const url = `http://${host}`;
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(url) ? new URL(url).hostname : "";
}

const allowAdvice =
  "To allow a host name, start the emulator with --allow-host NAME, or set the option allowHosts in code.";

function isNamedOneOf(host: string, names: readonly string[]): boolean {
  const given = getHostname(host);
  return names.some((name) => name.toLowerCase() === given);
}

/** @param mayBeSecure whether the page may use TLS: the emulator's, or that of a proxy for an allowed name */
function isSameOrigin(origin: string, host: string | undefined, mayBeSecure: boolean): boolean {
  if (host === undefined) return false;
  const [given, own] = [origin.toLowerCase(), host.toLowerCase()];
  return given === `http://${own}` || (mayBeSecure && given === `https://${own}`);
}
