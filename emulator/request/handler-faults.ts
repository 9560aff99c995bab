import type { components } from "../../openapi/generated/control-plane-types.js";

type FaultEffect = components["schemas"]["FaultEffect"];

/** The kinds of handlers that can inject a fault. */
export type HandlerFaultKind = "unprocessed" | "partial" | "transaction" | "sql" | "login";

/** A fault for a handler, which reads the fields of its kind: `count` keys, entries or operations fail. */
export type HandlerFault = Required<Pick<FaultEffect, "count" | "errorType" | "code" | "loginStatus">>;

/** Returns the fault that a rule injects at this point of a handler, if a rule fires. */
export type TakeHandlerFault = (kind: HandlerFaultKind) => HandlerFault | undefined;
