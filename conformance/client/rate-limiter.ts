import { systemTime, type TimeSource } from "./time-source.js";

/** How hard a deployment may be worked. */
export interface RateLimits {
  /** Requests a second at most. */
  readonly requestsPerSecond: number;
  /** Requests under way at the same time at most. */
  readonly concurrency: number;
  /** How often a request is sent again after 429 or 503 with `Retry-After`. */
  readonly retries: number;
}

/** Lets requests go at the pace a deployment was promised. */
export class RateLimiter {
  readonly #concurrency: number;
  readonly #intervalMs: number;
  readonly #time: TimeSource;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #nextAt = 0;

  constructor({ requestsPerSecond, concurrency }: RateLimits, time: TimeSource = systemTime) {
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

  /** Holds back all requests for a while. */
  async hold(milliseconds: number): Promise<void> {
    this.#nextAt = Math.max(this.#nextAt, this.#time.now() + milliseconds);
    await this.#time.sleep(milliseconds);
  }
}

/** Waits. */
export const sleep = systemTime.sleep;
