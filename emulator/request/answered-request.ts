/** What may be known of a request when it is answered, for a log. Nothing in it is a secret. Some members cost when read. */
export interface AnsweredRequest {
  readonly method: string;
  /** With the namespace and the query. */
  readonly path: string;
  /** 0 where the connection was ended in place of an answer. */
  readonly status: number;
  readonly durationMs: number;
  readonly operationId: string | undefined;
  /** A user id, an API key id or `control plane`; nothing for a caller without credential. */
  readonly caller: string | undefined;
  /** What a refusal says. */
  readonly detail: string | undefined;
  /** Members and query parameters that the contract does not know, as JSON pointers, where they are ignored. */
  readonly unknownMembers: readonly string[];
}
