import { maxClockTime } from "./timestamp.js";

/** Where a manual clock starts: far enough ahead that a client finds the `exp` of a token in the future. */
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
  /** How far a system clock is ahead of the machine's. */
  readonly systemOffset: number;
}

/**
 * The only source of time. A manual clock stands still but for one millisecond a request; a system clock runs
 * with the machine's, moved by what it was advanced or set. Times are milliseconds since 1970.
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
      : Math.min(systemNow() + this.#systemOffset, maxClockTime);
  }

  /** Returns what {@link now} would return after a change to this mode. */
  nowIn(mode: ClockMode): number {
    return mode === "system" && mode !== this.#mode ? systemNow() : this.now();
  }

  /** The time of a new request; no clock goes beyond {@link maxClockTime}. */
  tick(): number {
    if (this.#mode === "manual") this.#manualNow = Math.min(this.#manualNow + 1, maxClockTime);
    return this.now();
  }

  set(now: number): void {
    if (this.#mode === "manual") this.#manualNow = now;
    else this.#systemOffset = now - systemNow();
  }

  /** Changes the mode; a clock that becomes manual stands at its present time, one that becomes system follows the machine. */
  setMode(mode: ClockMode): void {
    if (mode === this.#mode) return;
    this.#manualNow = this.nowIn(mode);
    this.#systemOffset = 0;
    this.#mode = mode;
  }
}

function systemNow(): number {
  return Date.now();
}
