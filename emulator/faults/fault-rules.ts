import { maxDelayMs } from "../../openapi/control-plane/requests.js";
import { IdGenerator } from "../world/id-generator.js";
import { createValidationProblem, Problem } from "../domain/problem.js";
import {
  faultEffectKinds,
  type Fault,
  type FaultEffect,
  type FaultRequest,
  getHandlerFaultKinds,
  operationsByHandlerFault,
} from "./fault-effects.js";
import { FaultRule, type RequestFacts } from "./fault-rule.js";
import type { FiredFault } from "../request/completed-request.js";
import type { TakeHandlerFault } from "../request/handler-faults.js";
import { serviceApi } from "../../openapi/operations/register.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { isControlPath } from "../request/target.js";
import { compilePathPattern } from "./path-pattern.js";
import { tryTo } from "../../openapi/text/try-to.js";

const maxRules = 1000;

/** The fault rules of a namespace. They are not part of its world: a reset deletes them, a restore keeps them. */
export class FaultRules {
  readonly #rules = new Map<string, FaultRule>();
  readonly #delays = new Set<(shouldContinue: boolean) => void>();
  #ids: IdGenerator;
  /** Number of calls of `release`. */
  #releases = 0;
  #isClosed = false;

  constructor(private readonly seed: number) {
    this.#ids = new IdGenerator(seed);
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** @throws problems `validation-failed`, `too-many-faults` */
  create(request: FaultRequest): Fault {
    const mistakes = checkFault(request);
    if (mistakes.length > 0) throw createValidationProblem(...mistakes);
    if (this.#rules.size >= maxRules)
      throw new Problem(
        "too-many-faults",
        `A namespace can have at most ${maxRules} fault rules. Delete a rule first.`,
      );
    const rule = new FaultRule(this.#ids.next("fault"), structuredClone(request), this.seed);
    this.#rules.set(rule.faultId, rule);
    return rule.view();
  }

  list(): Fault[] {
    return [...this.#rules.values()].map((rule) => rule.view());
  }

  /** @throws a problem `fault-not-found` */
  get(faultId: string): Fault {
    const rule = this.#rules.get(faultId);
    if (rule === undefined) throw createFaultNotFoundProblem(faultId);
    return rule.view();
  }

  /** @throws a problem `fault-not-found` */
  delete(faultId: string): void {
    if (!this.#rules.delete(faultId)) throw createFaultNotFoundProblem(faultId);
  }

  /** Deletes all rules. Requests that are delayed by a rule continue. */
  clear(): void {
    this.#rules.clear();
    this.release();
  }

  /** Restores the initial state: no rules, and ids start again. */
  reset(): void {
    this.clear();
    this.#ids = new IdGenerator(this.seed);
  }

  /** Ends all delays because the emulator is closing. The requests get no response. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  /** Starts to apply the rules to a request, when it arrives. */
  createRequestFaults(facts: RequestFacts): RequestFaults {
    return new RequestFaults(this.#rules, facts, this.#releases);
  }

  /** Delays a request in real time. False if the emulator was closed in the meantime. */
  wait(delayMs: number, { release }: RequestFaults): Promise<boolean> {
    // The rules may have been deleted while the body was being read.
    if (release !== this.#releases) return Promise.resolve(!this.#isClosed);
    return new Promise((resolve) => {
      const end = (shouldContinue: boolean) => {
        clearTimeout(timer);
        this.#delays.delete(end);
        resolve(shouldContinue);
      };
      const timer = setTimeout(() => end(true), delayMs);
      this.#delays.add(end);
    });
  }

  /** Ends the delay of all requests, which continue. */
  release(): void {
    this.#releases += 1;
    for (const end of [...this.#delays]) end(!this.#isClosed);
  }
}

/** Applies the rules to one request, stage by stage. */
export class RequestFaults {
  /** The rules that fired. */
  readonly fired: FiredFault[] = [];
  /** The rule that fired on arrival, until it is applied. */
  #arrivalRule: FaultRule | undefined;
  #isFinished = false;

  constructor(
    private readonly rules: ReadonlyMap<string, FaultRule>,
    private readonly facts: RequestFacts,
    /** Number of releases when the request started. */
    readonly release: number,
  ) {}

  /** The delay of the request, and the rule that fires instead of the operation. */
  applyArrivalRules(): { readonly delayMs: number; readonly rule: FaultRule | undefined } {
    let delayMs = 0;
    for (const rule of this.rules.values()) {
      if (rule.point !== "arrival" || !this.#fires(rule)) continue;
      if (rule.effect.kind !== "latency") {
        this.#arrivalRule = rule;
        return { delayMs, rule };
      }
      delayMs = Math.min(delayMs + (rule.effect.delayMs ?? 1000), maxDelayMs);
    }
    return { delayMs, rule: undefined };
  }

  /** The fault that the handler injects. */
  readonly takeHandlerFault: TakeHandlerFault = (kind) => {
    if (!operationsByHandlerFault[kind].includes(this.facts.operationId)) return undefined;
    const rules = [...this.rules.values()];
    const effect = rules.find((rule) => rule.handlers.includes(kind) && this.#fires(rule))?.effect;
    if (effect === undefined) return undefined;
    const { count = 1, errorType = "InternalServerError", code = "SQL_EXECUTION_ERROR" } = effect;
    return { count, errorType, code, loginStatus: effect.loginStatus ?? "Error" };
  };

  /** Returns the rule that fired on arrival; later calls return undefined. */
  takeArrivalRule(): FaultRule | undefined {
    const rule = this.#arrivalRule;
    if (rule === undefined) return undefined;
    this.#arrivalRule = undefined;
    this.#isFinished = true;
    return rule;
  }

  /** Returns the rule that fires for the response; later calls return undefined. */
  takeResponseRule(): FaultRule | undefined {
    if (this.#isFinished) return undefined;
    this.#isFinished = true;
    for (const rule of this.rules.values()) if (rule.point === "answer" && this.#fires(rule)) return rule;
    return undefined;
  }

  #fires(rule: FaultRule): boolean {
    if (!rule.shouldFire(this.facts)) return false;
    this.fired.push({ faultId: rule.faultId, kind: rule.effect.kind });
    return true;
  }
}

function createFaultNotFoundProblem(faultId: string): Problem {
  return new Problem(
    "fault-not-found",
    `There is no fault rule with the id ${faultId}. GET /_emulator/faults lists all fault rules.`,
  );
}

/** Finds mistakes that the schema does not find, such as a rule that can never fire. */
function checkFault({ match = {}, effect }: FaultRequest): readonly Violation[] {
  const mistakes: Violation[] = [];
  const addMistake = (pointer: string, detail: string) => mistakes.push({ in: "body", pointer, detail });
  const { kind } = effect;
  const allowed = faultEffectKinds[kind].fields;
  for (const member of Object.keys(effect) as (keyof FaultEffect)[])
    if (member !== "kind" && !allowed.includes(member))
      addMistake(
        `/effect/${member}`,
        `is not allowed for the kind ${kind}, which allows only ${allowed.join(", ")}`,
      );
  if (effect.count === 0 && kind !== "truncate") addMistake("/effect/count", `must be >= 1 for ${kind}`);
  if (kind === "error") checkError(effect, addMistake);
  const { operationId, path } = match;
  const supported = getHandlerFaultKinds(effect).flatMap((handler) => operationsByHandlerFault[handler]);
  if (operationId !== undefined && supported.length > 0 && !supported.includes(operationId))
    addMistake("/match/operationId", `does not support this effect; expected one of ${supported.join(", ")}`);
  const possible = operationId === undefined ? supported : [operationId];
  if (possible.length > 0 && possible.every((id) => serviceApi.operations[id].access.kind === "public"))
    for (const member of ["organizationId", "caller"] as const)
      if (match[member] !== undefined)
        addMistake(`/match/${member}`, `must be omitted, because ${possible.join(", ")} needs no credential`);
  if (path?.includes("?") === true) addMistake("/match/path", "must be a path without a query");
  else if (path !== undefined && isControlPath(path))
    addMistake(
      "/match/path",
      "must be a path of the service, because rules do not apply to the control plane",
    );
  else if (path !== undefined && tryTo(() => compilePathPattern(path)) === undefined)
    addMistake("/match/path", "has a percent escape that is not valid UTF-8");
  return mistakes;
}

function checkError(effect: FaultEffect, addMistake: (pointer: string, detail: string) => void): void {
  const names = (["errorType", "code", "loginStatus"] as const).filter((name) => effect[name] !== undefined);
  for (const name of names.slice(1))
    addMistake(`/effect/${name}`, `must not be combined with ${String(names[0])}; use two rules instead`);
  if (effect.count !== undefined && names.some((name) => name !== "errorType"))
    addMistake(
      "/effect/count",
      "requires errorType, because only rules with errorType make transactions fail",
    );
}
