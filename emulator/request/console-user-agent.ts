/** The user agent of the console's own requests. */
export const consoleUserAgent = "data-service-console";

/** The user agent of requests that a user resends from the console; they are shown like those of other clients. */
export const consoleResendUserAgent = `${consoleUserAgent}-again`;

/** Whether a page of the console makes the request. */
export function isFromConsole({ headers }: Request): boolean {
  const agent = headers.get("user-agent");
  return agent === consoleUserAgent || agent === consoleResendUserAgent;
}
