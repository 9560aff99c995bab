/**
 * Statuses that a proxy or a busy deployment returns temporarily; those from 520 on are Cloudflare's. After all but 503,
 * the request may or may not have taken effect.
 */
const gatewayStatuses: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524];

/** The parts of a response that decide about a retry. */
interface RetriedResponse {
  readonly status: number;
  readonly body: unknown;
  readonly header: (name: string) => string | undefined;
}

/** How to retry after a temporary failure. */
export interface RetryPlan {
  /** How long to wait before the retry, in milliseconds. */
  readonly waitMs: number;
  /** Whether the request may have taken effect. */
  readonly mayBeDone: boolean;
  /** Whether a transaction failed although none of its operations is at fault. */
  readonly isCanceled?: true;
}

/**
 * Returns how to retry after a temporary failure: throttling, network problems or conflicting transactions. Returns
 * undefined for all other responses.
 *
 * @param attempt how many times the request was sent before
 */
export function getRetryPlan(response: RetriedResponse, attempt: number): RetryPlan | undefined {
  const { status } = response;
  if (isCanceledTransaction(response))
    return { waitMs: getBackoffMs(attempt) / 10, mayBeDone: false, isCanceled: true };
  const requestedMs = status === 429 || status === 503 ? parseRetryAfterMs(response.header) : undefined;
  // A deployment may round a fraction of a second down to zero.
  if (requestedMs !== undefined)
    return { waitMs: Math.max(requestedMs, getBackoffMs(attempt)), mayBeDone: false };
  // A 408 response means that the request did not arrive in time (RFC 9110).
  if (status === 429 || status === 408) return { waitMs: getBackoffMs(attempt), mayBeDone: false };
  if (!gatewayStatuses.includes(status) || isFromService(response)) return undefined;
  return { waitMs: getBackoffMs(attempt), mayBeDone: status !== 503 };
}

/** Whether a 503 response comes from the health endpoint, which has its own status field. */
function isFromService({ body }: RetriedResponse): boolean {
  const { status } = (typeof body === "object" && body !== null ? body : {}) as { readonly status?: unknown };
  return status === "Unhealthy" || status === "NotReady" || status === "Dead";
}

/** Whether a transaction failed although none of its operations is at fault (part 7): it was canceled, or the server failed. */
export function isCanceledTransaction({ body }: Pick<RetriedResponse, "body">): boolean {
  const { errors } = (body ?? {}) as { readonly errors?: unknown };
  return (
    Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every(
      (error: { readonly errorType?: unknown } | null) =>
        error?.errorType === "TransactionCanceled" || error?.errorType === "InternalServerError",
    )
  );
}

/** Returns a pause of 0.1 seconds for the first retry; each further pause is three times as long, up to 10 seconds. */
export function getBackoffMs(attempt: number): number {
  return Math.min(100 * 3 ** attempt, 10_000);
}

/** Returns the time to wait, in milliseconds; dates are compared with the deployment's clock. */
function parseRetryAfterMs(header: RetriedResponse["header"]): number | undefined {
  const value = header("retry-after");
  if (value === undefined) return undefined;
  const now = Date.parse(header("date") ?? "") || Date.now();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}
