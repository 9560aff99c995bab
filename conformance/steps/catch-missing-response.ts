import type { ApiResponse } from "../client/client.js";
import { RunError } from "../client/violation.js";

/** Awaits a response; returns undefined if there is none, so that the request may or may not have been executed. */
export async function catchMissingResponse(response: Promise<ApiResponse>): Promise<ApiResponse | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof RunError) return undefined;
    throw error;
  }
}
