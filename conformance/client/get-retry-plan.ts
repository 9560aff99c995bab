/**
 * Statuses of a proxy or of a busy deployment, which say nothing about the deployment itself; Cloudflare has its own from
 * 520 on. After all but 503, the request may or may not have taken effect.
 */
const ofGateways: readonly number[] = [502, 503, 504, 520, 521, 522, 523, 524];

/** The parts of a response that decide about a retry. */
interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly header: (name: string) => string | undefined;
}

/** How to retry after a temporary answer. */
export interface RetryPlan {
  /** How long to wait before the retry. */
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
export function getRetryPlan(answer: Answered, attempt: number): RetryPlan | undefined {
  const { status } = answer;
  if (isCanceledTransaction(answer))
    return { waitMs: getBackoffMs(attempt) / 10, mayBeDone: false, isCanceled: true };
  const asked = status === 429 || status === 503 ? parseRetryAfterMs(answer.header) : undefined;
  // what is left of a second may be rounded down to nothing
  if (asked !== undefined) return { waitMs: Math.max(asked, getBackoffMs(attempt)), mayBeDone: false };
  // 408 is for a request that did not arrive in time (RFC 9110)
  if (status === 429 || status === 408) return { waitMs: getBackoffMs(attempt), mayBeDone: false };
  if (!ofGateways.includes(status) || isFromService(answer)) return undefined;
  return { waitMs: getBackoffMs(attempt), mayBeDone: status !== 503 };
}

/** Whether a 503 response comes from the health endpoint, which has its own status field. */
function isFromService({ body }: Answered): boolean {
  const { status } = (typeof body === "object" && body !== null ? body : {}) as { readonly status?: unknown };
  return status === "Unhealthy" || status === "NotReady" || status === "Dead";
}

/** Whether a transaction failed for a reason that part 7 gives for no operation at fault: it was canceled, or the server failed. */
export function isCanceledTransaction({ body }: Pick<Answered, "body">): boolean {
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

/** Returns the time to wait; a date is one of the deployment's clock. */
function parseRetryAfterMs(header: Answered["header"]): number | undefined {
  const given = header("retry-after");
  if (given === undefined) return undefined;
  const now = Date.parse(header("date") ?? "") || Date.now();
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}
