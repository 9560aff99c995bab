import type { ApiResponse } from "./client.js";

/** Formats a response, with the start of its body, for the message of a `RunError`. */
export function quoteResponse(response: Pick<ApiResponse, "status" | "text"> | undefined): string {
  return response === undefined ? "no response" : `${response.status} ${response.text.slice(0, 300)}`;
}
