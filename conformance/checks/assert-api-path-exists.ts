import type { ApiResponse } from "../client/client.js";
import type { CheckContext } from "../check/context.js";

/** Asserts that the versioned path of a request leads to an operation (GEN-08); the resources in the path must exist. */
export function assertApiPathExists(
  context: CheckContext,
  { status, exchange: { request } }: ApiResponse,
): void {
  const { pathname } = new URL(request.url);
  context.assert(
    "GEN-08",
    status !== 404 && status !== 405 && pathname.includes("/api/v1/"),
    `an operation at ${request.method} ${pathname}`,
    `status ${status}`,
  );
}
