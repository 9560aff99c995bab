import type { Client } from "../client/client.js";
import { NoAnswer, RunTrouble } from "../client/violation.js";

/**
 * Looks whether anything at all answers at the base URL, and whether it may be the service.
 *
 * @throws RunTrouble when nothing answers, or something else than a JSON service
 */
export async function preflight(client: Client): Promise<void> {
  const { baseUrl } = client;
  const answer = await client.send("GET", "/health", { impatient: true }).catch((error: unknown) => {
    if (error instanceof NoAnswer)
      throw new NoAnswer(`${error.message}; is the base URL right, and is the deployment running?`);
    throw error;
  });
  const location = answer.header("location");
  if (answer.status >= 300 && answer.status < 400)
    throw new RunTrouble(
      `${baseUrl}/health redirects to ${location ?? "nowhere"}; give the address it leads to as the base URL`,
    );
  const type = answer.header("content-type") ?? "nothing";
  if (typeof answer.body === "object" && answer.body !== null && !type.includes("html")) return;
  const title = titleOf(answer.text);
  const isHtml = /html/i.test(type) || /^\s*</.test(answer.text);
  throw new RunTrouble(
    `what answers at ${baseUrl} is not the data service: GET /health gave status ${answer.status} and ` +
      (isHtml ? "HTML" : `no JSON (${type})`) +
      (title === "" ? "" : `, titled "${title.slice(0, 80)}"`) +
      "; is the base URL right?",
  );
}

/** The title of a page, from its beginning; every letter is looked at once or twice whatever the page is. */
function titleOf(page: string): string {
  const head = page.slice(0, 65_536);
  const opening = head.toLowerCase().indexOf("<title");
  const start = opening < 0 ? -1 : head.indexOf(">", opening) + 1;
  if (start <= 0) return "";
  const end = head.indexOf("<", start);
  return head.slice(start, end < 0 ? undefined : end).trim();
}
