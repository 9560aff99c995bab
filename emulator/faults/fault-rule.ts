import { createHash } from "node:crypto";
import type { OperationId } from "../../openapi/operations/register.js";
import { type Caller, getCallerId } from "../access/caller.js";
import {
  type Fault,
  type FaultEffect,
  type FaultPoint,
  type FaultRequest,
  getFaultPoint,
  getHandlerFaultKinds,
} from "./fault-effects.js";
import type { HandlerFaultKind } from "../request/handler-faults.js";
import { type PathMatcher, compilePathPattern } from "./path-pattern.js";

/** The parts of a request that rules match. */
export interface RequestFacts {
  readonly operationId: OperationId;
  /** Path below the namespace. */
  readonly path: string;
  /** Whether the path lacks a trailing slash that the client may have sent (gap `trailing-slash`). */
  readonly ignoresSlash: boolean;
  readonly organizationInPath: string | undefined;
  /** Computed only if a rule needs it. */
  readonly caller: () => Caller;
}

/** A fault rule, with the number of times it has matched and fired. */
export class FaultRule {
  readonly faultId: string;
  readonly effect: FaultEffect;
  readonly point: FaultPoint;
  readonly handlers: readonly HandlerFaultKind[];
  readonly #match: NonNullable<FaultRequest["match"]>;
  readonly #when: NonNullable<FaultRequest["when"]>;
  readonly #path: PathMatcher | undefined;
  readonly #pathWithoutSlash: PathMatcher | undefined;
  readonly #seed: number;
  #matched = 0;
  #fired = 0;

  constructor(faultId: string, { match = {}, effect, when = {} }: FaultRequest, seed: number) {
    this.faultId = faultId;
    this.effect = effect;
    this.point = getFaultPoint(effect);
    this.handlers = getHandlerFaultKinds(effect);
    this.#match = match;
    this.#when = when;
    this.#path = match.path === undefined ? undefined : compilePathPattern(match.path);
    this.#pathWithoutSlash =
      match.path === undefined ? undefined : compilePathPattern(match.path.replace(/(?<=.)\/$/, ""));
    this.#seed = seed;
  }

  /** Whether the rule fires for a request at its stage. Counts the request if it matches. */
  shouldFire(facts: RequestFacts): boolean {
    if (!this.#matches(facts)) return false;
    const { nth = 1, count = this.#when.nth === undefined ? Infinity : 1, probability = 1 } = this.#when;
    this.#matched += 1;
    if (this.#matched < nth || this.#fired >= count || this.#draw() >= probability) return false;
    this.#fired += 1;
    return true;
  }

  view(): Fault {
    return {
      faultId: this.faultId,
      match: structuredClone(this.#match),
      effect: structuredClone(this.effect),
      when: structuredClone(this.#when),
      fired: this.#fired,
    };
  }

  #matches({ operationId, path, ignoresSlash, organizationInPath, caller }: RequestFacts): boolean {
    const match = this.#match;
    if (match.operationId !== undefined && match.operationId !== operationId) return false;
    const matchesPath = ignoresSlash ? this.#pathWithoutSlash : this.#path;
    if (matchesPath?.(path) === false) return false;
    if (match.organizationId !== undefined && match.organizationId !== organizationInPath) {
      const who = caller();
      if (who.kind === "anonymous" || who.organizationId !== match.organizationId) return false;
    }
    return match.caller === undefined || match.caller === getCallerId(caller());
  }

  /** A number from 0 to 1 that depends only on the seed, the rule and the number of matches so far. */
  #draw(): number {
    const hash = createHash("sha256").update(`${this.#seed}/${this.faultId}/${this.#matched}`).digest();
    return hash.readUIntBE(0, 6) / 2 ** 48;
  }
}
