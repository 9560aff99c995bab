/** What the pipeline reads of a request, wherever it came from. */
export interface Incoming {
  readonly method: string;
  /** Whether it came over TLS. */
  readonly isSecure: boolean;
  /** Scheme, host and port that the client called. */
  origin(): string;
  /** Looks up a header by its lower-case name. */
  header(name: string): string | undefined;
  /** All headers, by reference: a list of name, value, name, … as they were sent, or an object that has them. */
  headers(): readonly string[] | Headers;
  /** @throws a problem `request-too-large` as soon as there are more bytes than allowed */
  body(maxBytes: number): Promise<Uint8Array>;
}
