/** Statuses of a proxy or of a busy deployment, which say nothing about the deployment itself. */
const ofGateways: readonly number[] = [502, 503, 504];

/** After these statuses, the request may or may not have taken effect. */
const ambiguous: readonly number[] = [502, 504];

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
  /** The type of error of a transaction that was canceled although none of its operations is at fault (part 7). */
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
  const asked =
    status === 429 || status === 503 ? parseRetryAfterMs(answer.header("retry-after")) : undefined;
  if (asked !== undefined) return { waitMs: asked, mayBeDone: false };
  if (status === 429) return { waitMs: getBackoffMs(attempt), mayBeDone: false };
  if (!ofGateways.includes(status) || isFromService(answer)) return undefined;
  return { waitMs: getBackoffMs(attempt), mayBeDone: ambiguous.includes(status) };
}

/** Whether a 503 response comes from the health endpoint, which has its own status field. */
function isFromService({ body }: Answered): boolean {
  const { status } = (typeof body === "object" && body !== null ? body : {}) as { readonly status?: unknown };
  return status === "Unhealthy" || status === "NotReady" || status === "Dead";
}

/** Whether a transaction was canceled although none of its operations is at fault. */
export function isCanceledTransaction({ body }: Pick<Answered, "body">): boolean {
  const { errors } = (body ?? {}) as { readonly errors?: unknown };
  return (
    Array.isArray(errors) &&
    errors.length > 0 &&
    errors.every(
      (error: { readonly errorType?: unknown } | null) => error?.errorType === "TransactionCanceled",
    )
  );
}

/** Returns a pause of 0.1 seconds for the first retry; each further pause is three times as long, up to 10 seconds. */
export function getBackoffMs(attempt: number): number {
  return Math.min(100 * 3 ** attempt, 10_000);
}

function parseRetryAfterMs(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}
