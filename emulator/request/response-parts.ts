/** What a response is made of. */
export interface ResponseParts {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** The kind of problem, or the SQL error code, that the response tells of. */
  readonly problem?: string | undefined;
}
