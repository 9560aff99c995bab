import { type OperationId, operationIds, serviceApi } from "../../openapi/operations/register.js";
import type { FaultEffect } from "./fault-types.js";
import type { HandlerFaults } from "../request/handler-faults.js";

/** Where on a request's way an effect shows. */
export type FaultPoint = "arrival" | "handler" | "answer";

export function getFaultPoint({ kind, applied }: FaultEffect): FaultPoint {
  switch (kind) {
    case "latency":
      return "arrival";
    case "status":
    case "drop":
      return applied === true ? "answer" : "arrival";
    case "truncate":
      return "answer";
    case "unprocessed":
    case "partial":
    case "error":
      return "handler";
  }
}

/** The handlers that can fail with an effect, in words and by operation. */
export function getHandlerKinds(effect: FaultEffect): readonly (keyof HandlerFaults)[] {
  if (effect.kind === "unprocessed" || effect.kind === "partial") return [effect.kind];
  if (effect.kind !== "error") return [];
  if (effect.errorType !== undefined) return ["transaction"];
  if (effect.code !== undefined) return ["sql"];
  return effect.loginStatus === undefined ? ["transaction", "sql", "login"] : ["login"];
}

/** The operations whose handlers take a fault of a kind. */
export const operationsByHandlerFault: { readonly [Kind in keyof HandlerFaults]: readonly OperationId[] } = {
  unprocessed: ["batchGetItems"],
  partial: ["batchWriteItems"],
  transaction: ["transactWriteItems"],
  sql: operationIds.filter((id) => serviceApi.operations[id].errorBody === "sql"),
  login: ["login"],
};

/** The fault that an effect asks a handler for, with its defaults. */
export function toHandlerFault<Kind extends keyof HandlerFaults>(
  kind: Kind,
  effect: FaultEffect,
): HandlerFaults[Kind] {
  const { count = 1, errorType = "InternalServerError", code = "SQL_EXECUTION_ERROR", loginStatus } = effect;
  const faults: HandlerFaults = {
    unprocessed: { count },
    partial: { count },
    transaction: { count, errorType },
    sql: { code },
    login: { status: loginStatus ?? "Error" },
  };
  return faults[kind];
}
