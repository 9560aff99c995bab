/** The parts of a response. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The kind of problem or the SQL error code in the response. */
  readonly problem?: string | undefined;
}
