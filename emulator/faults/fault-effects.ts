import type { components } from "../../openapi/generated/control-plane-types.js";
import { type OperationId, operationIds, serviceApi } from "../../openapi/operations/register.js";
import type { HandlerFaultKind } from "../request/handler-faults.js";

type Schemas = components["schemas"];

/** A rule, as a request gives it. */
export type FaultRequest = Schemas["CreateFaultRequest"];
/** A rule, as a response shows it. */
export type Fault = Schemas["Fault"];
export type FaultEffect = Schemas["FaultEffect"];

/** The stage of a request at which an effect occurs. */
export type FaultPoint = "arrival" | "handler" | "answer";

/** For each kind of effect: the stage at which it occurs (without `applied`) and its fields. */
export const faultEffectKinds: Readonly<
  Record<FaultEffect["kind"], { readonly point: FaultPoint; readonly fields: readonly (keyof FaultEffect)[] }>
> = {
  status: { point: "arrival", fields: ["status", "retryAfterSeconds", "applied"] },
  latency: { point: "arrival", fields: ["delayMs"] },
  drop: { point: "arrival", fields: ["applied"] },
  truncate: { point: "answer", fields: ["count"] },
  unprocessed: { point: "handler", fields: ["count"] },
  partial: { point: "handler", fields: ["count"] },
  error: { point: "handler", fields: ["errorType", "code", "loginStatus", "count"] },
};

export function getFaultPoint({ kind, applied }: FaultEffect): FaultPoint {
  return applied === true ? "answer" : faultEffectKinds[kind].point;
}

/** Returns the kinds of handlers that can fail with an effect. */
export function getHandlerFaultKinds(effect: FaultEffect): readonly HandlerFaultKind[] {
  if (effect.kind === "unprocessed" || effect.kind === "partial") return [effect.kind];
  if (effect.kind !== "error") return [];
  if (effect.errorType !== undefined) return ["transaction"];
  if (effect.code !== undefined) return ["sql"];
  return effect.loginStatus === undefined ? ["transaction", "sql", "login"] : ["login"];
}

/** The operations whose handlers support a kind of fault. */
export const operationsByHandlerFault: Readonly<Record<HandlerFaultKind, readonly OperationId[]>> = {
  unprocessed: ["batchGetItems"],
  partial: ["batchWriteItems"],
  transaction: ["transactWriteItems"],
  sql: operationIds.filter((id) => serviceApi.operations[id].errorBody === "sql"),
  login: ["login"],
};
