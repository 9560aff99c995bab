import type { components } from "../../openapi/generated/control-plane-types.js";
import type { TransactionErrorType } from "../../openapi/schemas/batches.js";
import type { SqlErrorCode } from "../sql/grammar/sql-error.js";

/** The faults that a handler can inject, by kind of handler. */
export interface HandlerFaults {
  /** Batch get leaves this many keys over. */
  readonly unprocessed: { readonly count: number };
  /** This many entries of a batch write fail. */
  readonly partial: { readonly count: number };
  /** This many operations of a transaction are at fault. */
  readonly transaction: { readonly count: number; readonly errorType: TransactionErrorType };
  readonly sql: { readonly code: SqlErrorCode };
  readonly login: { readonly status: NonNullable<components["schemas"]["FaultEffect"]["loginStatus"]> };
}

/** Asks whether a rule fires at this point of a handler; one that does has fired. */
export type TakeFault = <Kind extends keyof HandlerFaults>(kind: Kind) => HandlerFaults[Kind] | undefined;
