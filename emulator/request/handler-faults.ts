import type { components } from "../../openapi/generated/control-plane-types.js";
import type { TransactionErrorType } from "../../openapi/schemas/batches.js";
import type { SqlErrorCode } from "../sql/grammar/sql-error.js";

/** The faults that a handler can inject, by kind of handler. */
export interface HandlerFaults {
  /** Number of keys that a batch get leaves unprocessed. */
  readonly unprocessed: { readonly count: number };
  /** Number of entries of a batch write that fail. */
  readonly partial: { readonly count: number };
  /** Number of operations of a transaction that fail. */
  readonly transaction: { readonly count: number; readonly errorType: TransactionErrorType };
  readonly sql: { readonly code: SqlErrorCode };
  readonly login: { readonly status: NonNullable<components["schemas"]["FaultEffect"]["loginStatus"]> };
}

/** Returns the fault that a rule injects at this point of a handler, if a rule fires. */
export type TakeHandlerFault = <Kind extends keyof HandlerFaults>(
  kind: Kind,
) => HandlerFaults[Kind] | undefined;
