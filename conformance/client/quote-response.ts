import type { ApiResponse } from "./client.js";

const maxLength = 300;

/** Formats a response, with the start of its body, for a message about the run. */
export function quoteResponse(response: Pick<ApiResponse, "status" | "text"> | undefined): string {
  if (response === undefined) return "no response";
  const { status, text } = response;
  const start = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return text === "" ? String(status) : `${status} ${start}`;
}
