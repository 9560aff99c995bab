import type { Login } from "./actors.js";
import type { Situation } from "./situations.js";

/** What a target file says for observers. */
export interface ObserveOptions {
  readonly situations?: Readonly<Partial<Record<Situation, Login>>>;
  /** A database of the owner's organization that is neither Active nor Creating. */
  readonly unavailableDatabaseId?: string;
  /** Base URL of an instance whose `/health/live` says Dead. */
  readonly deadUrl?: string;
  /** Region codes to be tried. */
  readonly regions?: readonly string[];
  readonly bounds?: Partial<Bounds>;
}

/** How far costly observations go. */
export interface Bounds {
  /** Requests a second that a rate limit is looked for with; 0 for not at all. */
  readonly requestsPerSecond: number;
  /** Items, rows and entities that one observation makes at most. */
  readonly entries: number;
  /** Bytes of the largest request. */
  readonly requestBytes: number;
  /** Milliseconds that something is waited for. */
  readonly waitMs: number;
}

export const defaultBounds: Bounds = {
  requestsPerSecond: 0,
  entries: 1100,
  requestBytes: 64 * 1024 * 1024,
  waitMs: 60_000,
};
