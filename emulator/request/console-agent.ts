/** What pages send as their name, so that the journal can tell them apart. */
export const consoleAgent = "data-service-console";

/** The same for requests that somebody has sent again from a page, which are shown as those of others are. */
export const consoleResendAgent = `${consoleAgent}-again`;

/** Whether a page of the console makes the request. */
export function isFromConsole({ headers }: Request): boolean {
  const agent = headers.get("user-agent");
  return agent === consoleAgent || agent === consoleResendAgent;
}
