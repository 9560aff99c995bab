/** An answer before it meets a socket or a `Response`. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | null;
  /** Set by a fault rule: the connection ends after so many bytes of the body, or before anything of the answer. */
  readonly breakAfter?: number | "nothing";
}
