import { service } from "../../openapi/operations/register.js";
import type { Violation } from "../../openapi/validation/validate.js";
import { handlersOf, operationsOfHandler } from "./effect-points.js";
import type { FaultEffect, FaultRequest } from "./fault-types.js";
import { pathPattern } from "./path-pattern.js";

/** The members that each kind of effect knows. */
const membersOf: Readonly<Record<FaultEffect["kind"], readonly (keyof FaultEffect)[]>> = {
  status: ["status", "retryAfterSeconds", "applied"],
  latency: ["delayMs"],
  drop: ["applied"],
  truncate: ["count"],
  unprocessed: ["count"],
  partial: ["count"],
  error: ["errorType", "code", "loginStatus", "count"],
};

/** What makes no sense in a rule that fits the schema: a rule that could never fire is worse than none. */
export function checkFault({ match = {}, effect }: FaultRequest): readonly Violation[] {
  const mistakes: Violation[] = [];
  const mistake = (pointer: string, detail: string) => mistakes.push({ in: "body", pointer, detail });
  const { kind } = effect;
  const known = membersOf[kind];
  for (const member of Object.keys(effect) as (keyof FaultEffect)[])
    if (member !== "kind" && !known.includes(member))
      mistake(`/effect/${member}`, `belongs to another kind; ${kind} knows ${known.join(", ")}`);
  if (effect.count === 0 && kind !== "truncate") mistake("/effect/count", `must be >= 1 for ${kind}`);
  if (kind === "error") checkError(effect, mistake);
  const { operationId, path } = match;
  if (operationId !== undefined) {
    const possible = handlersOf(effect).flatMap((handler) => operationsOfHandler[handler]);
    if (possible.length > 0 && !possible.includes(operationId))
      mistake("/match/operationId", `cannot fail like this; ${possible.join(", ")} can`);
    if (isPublic(operationId))
      for (const member of ["organizationId", "caller"] as const)
        if (match[member] !== undefined)
          mistake(`/match/${member}`, `leave it out: ${operationId} is called without a credential`);
  }
  if (path?.includes("?") === true) mistake("/match/path", "must be a path without a query");
  else if (path !== undefined && !isPattern(path))
    mistake("/match/path", "has a percent escape that is not valid UTF-8");
  return mistakes;
}

function checkError(effect: FaultEffect, mistake: (pointer: string, detail: string) => void): void {
  const names = (["errorType", "code", "loginStatus"] as const).filter((name) => effect[name] !== undefined);
  for (const name of names.slice(1))
    mistake(`/effect/${name}`, `give ${String(names[0])} or ${name}, each in a rule of its own`);
  if (effect.count !== undefined && names.some((name) => name !== "errorType"))
    mistake("/effect/count", "is for transactions, with errorType");
}

function isPublic(operationId: NonNullable<NonNullable<FaultRequest["match"]>["operationId"]>): boolean {
  return service.operations[operationId].access.kind === "public";
}

function isPattern(path: string): boolean {
  try {
    pathPattern(path);
    return true;
  } catch {
    return false;
  }
}
