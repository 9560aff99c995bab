import { maxClockTime } from "./timestamp.js";

/** The start of a manual clock. It is in the future, so that clients do not take tokens for expired. */
export const manualClockStart = Date.UTC(2030, 0, 1);

export type ClockMode = "manual" | "system";

export function isClockMode(text: string): text is ClockMode {
  return text === "manual" || text === "system";
}

/** The saved state of a clock, in milliseconds. */
export interface ClockState {
  readonly mode: ClockMode;
  /** The time of a manual clock. */
  readonly manualNow: number;
  /** The difference between a system clock and the machine's clock. */
  readonly systemOffset: number;
}

/**
 * The only source of time. A manual clock advances by one millisecond for each request. A system clock runs with the
 * machine's clock, at an offset. Times are milliseconds since 1970.
 */
export class Clock {
  #mode: ClockMode;
  #manualNow: number;
  #systemOffset: number;

  constructor(mode: ClockMode, manualNow = manualClockStart, systemOffset = 0) {
    this.#mode = mode;
    this.#manualNow = Math.min(manualNow, maxClockTime);
    this.#systemOffset = systemOffset;
  }

  /** Creates a clock that continues from a saved state. */
  static from({ mode, manualNow, systemOffset }: ClockState): Clock {
    return new Clock(mode, manualNow, systemOffset);
  }

  get state(): ClockState {
    return { mode: this.#mode, manualNow: this.#manualNow, systemOffset: this.#systemOffset };
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  now(): number {
    return this.#mode === "manual"
      ? this.#manualNow
      : Math.min(Date.now() + this.#systemOffset, maxClockTime);
  }

  /** Returns what {@link now} would return after a change to this mode. */
  nowIn(mode: ClockMode): number {
    return mode === "system" && mode !== this.#mode ? Date.now() : this.now();
  }

  /** Returns the time of a new request. No clock goes beyond {@link maxClockTime}. */
  tick(): number {
    if (this.#mode === "manual") this.#manualNow = Math.min(this.#manualNow + 1, maxClockTime);
    return this.now();
  }

  set(now: number): void {
    if (this.#mode === "manual") this.#manualNow = now;
    else this.#systemOffset = now - Date.now();
  }

  /** Changes the mode. A manual clock starts at the current time, a system clock follows the machine's clock. */
  setMode(mode: ClockMode): void {
    if (mode === this.#mode) return;
    this.#manualNow = this.nowIn(mode);
    this.#systemOffset = 0;
    this.#mode = mode;
  }
}
