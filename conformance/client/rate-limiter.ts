import { systemTime, type TimeSource } from "./time-source.js";

/** Limits on the load that may be put on a deployment. */
export interface RateLimits {
  /** Maximum number of requests per second. */
  readonly requestsPerSecond: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** How many times a request is retried after a 429 or 503 response with `Retry-After`. */
  readonly retries: number;
}

/** Limits the rate and concurrency of requests. */
export class RateLimiter {
  readonly #concurrency: number;
  readonly #intervalMs: number;
  readonly #time: TimeSource;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #nextAt = 0;

  constructor(
    { requestsPerSecond, concurrency }: Omit<RateLimits, "retries">,
    time: TimeSource = systemTime,
  ) {
    this.#time = time;
    this.#concurrency = concurrency;
    this.#intervalMs = Number.isFinite(requestsPerSecond) ? 1000 / requestsPerSecond : 0;
  }

  async run<Result>(send: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#concurrency) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      const now = this.#time.now();
      const at = Math.max(now, this.#nextAt);
      this.#nextAt = at + this.#intervalMs;
      if (at > now) await this.#time.sleep(at - now);
      return await send();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Delays all requests for a while. */
  async hold(milliseconds: number): Promise<void> {
    this.#nextAt = Math.max(this.#nextAt, this.#time.now() + milliseconds);
    await this.#time.sleep(milliseconds);
  }
}
