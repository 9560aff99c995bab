import type { components } from "../../openapi/generated/control-plane-types.js";

/** A fault rule that fired for a request. */
export interface FiredFault {
  readonly faultId: string;
  readonly kind: components["schemas"]["FaultEffect"]["kind"];
}

/** A request with its response, for a log. Contains no secrets. Some fields are computed when they are read. */
export interface CompletedRequest {
  readonly method: string;
  /** Path with the namespace and the query. */
  readonly path: string;
  /** Status; 0 if the connection was dropped without a response. */
  readonly status: number;
  readonly durationMs: number;
  readonly operationId: string | undefined;
  /** A user id, an API key id or `control plane`; undefined for a caller without a credential. */
  readonly caller: string | undefined;
  /** The message of an error, or the reason why an unused namespace was deleted. */
  readonly detail: string | undefined;
  /** The fault rules that fired. */
  readonly faults: readonly FiredFault[];
  /** JSON pointers of unknown fields and query parameters that were ignored. */
  readonly unknownFields: readonly string[];
}
