import type { Answer } from "../client/client.js";

/** Whether a request was turned down as it is, and not because of what the deployment is about. */
export function isRefused({ status }: Answer): boolean {
  return status >= 400 && status < 500 && status !== 429;
}
