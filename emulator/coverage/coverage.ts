import type { OperationId } from "../../openapi/operations/register.js";
import { scenarios } from "../../openapi/situations/scenarios.js";
import type { Exchange, Scenario, ScenarioStep } from "../../openapi/situations/situation.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The situations that requests to an emulator have covered, in all its namespaces, including deleted ones. */
export class Coverage {
  /** Ids of the situations that were covered, and of responses that are not situations. */
  readonly #met = new Set<string>();
  /** Scenarios that are not covered yet, by the keys of their first step. */
  readonly #beginnings = new Map<string, Scenario[]>();

  constructor() {
    for (const scenario of scenarios)
      for (const key of getKeys(scenario.steps[0])) addTo(this.#beginnings, key, scenario);
  }

  get met(): readonly string[] {
    return [...this.#met];
  }

  /** Records a response and the credential of the caller. */
  count(operationId: OperationId, outcome: string, credential: string | undefined): void {
    this.#met.add(joinKeys(operationId, outcome));
    if (credential !== undefined) this.#met.add(`${operationId}@${credential}`);
  }

  /** The scenarios that an exchange with a key can start. */
  beginnings(key: string): readonly Scenario[] | undefined {
    return this.#beginnings.get(key);
  }

  isMet(scenario: Scenario): boolean {
    return this.#met.has(scenario.id);
  }

  /** Stops looking for a scenario that was covered. */
  meet(scenario: Scenario): void {
    this.#met.add(scenario.id);
    for (const key of getKeys(scenario.steps[0])) {
      const left = this.#beginnings.get(key)?.filter((other) => other !== scenario) ?? [];
      if (left.length > 0) this.#beginnings.set(key, left);
      else this.#beginnings.delete(key);
    }
  }
}

/** A scenario whose first steps have occurred. */
interface BegunScenario {
  readonly scenario: Scenario;
  /** The next step. */
  readonly next: number;
  readonly kept: unknown;
  /** The fingerprint of the previous request, if the next one repeats it. */
  readonly before: string | undefined;
}

/** Maximum number of started scenarios that wait for exchanges with the same key; older ones are dropped. */
const maxBegun = 4;

/** Looks for scenarios in the exchanges of a namespace. */
export class ScenarioDetector {
  /** Started scenarios by the keys of their next step. */
  readonly #begun = new Map<string, BegunScenario[]>();

  constructor(private readonly coverage: Coverage) {}

  /**
   * Counts an exchange.
   *
   * @param describe called only if a scenario starts or continues
   */
  count(
    operationId: OperationId,
    outcome: string,
    credential: string | undefined,
    describe: () => Exchange,
  ): void {
    const coverage = this.coverage;
    coverage.count(operationId, outcome, credential);
    const keys = [operationId, outcome, joinKeys(operationId, outcome)];
    // most requests end here
    if (!keys.some((key) => this.#begun.has(key) || coverage.beginnings(key) !== undefined)) return;
    const exchange = describe();
    const waiting = keys.map((key) => this.#begun.get(key));
    for (const key of keys) this.#begun.delete(key);
    for (const [index, key] of keys.entries()) this.#follow(key, waiting[index], exchange);
    for (const key of keys) this.#begin(coverage.beginnings(key), exchange);
  }

  /** Drops all started scenarios. */
  reset(): void {
    this.#begun.clear();
  }

  #begin(scenarios: readonly Scenario[] | undefined, exchange: Exchange): void {
    for (const scenario of scenarios ?? [])
      this.#take({ scenario, next: 0, kept: undefined, before: undefined }, exchange);
  }

  #follow(key: string, list: readonly BegunScenario[] | undefined, exchange: Exchange): void {
    for (const begun of list ?? [])
      if (!this.coverage.isMet(begun.scenario) && !this.#take(begun, exchange))
        addTo(this.#begun, key, begun);
  }

  /** Whether an exchange with the key of the next step is that step; the scenario then continues or is covered. */
  #take({ scenario, next, kept, before }: BegunScenario, exchange: Exchange): boolean {
    const step = scenario.steps[next];
    if (step === undefined || (before !== undefined && before !== exchange.fingerprint)) return false;
    const found = step.keep === undefined ? true : step.keep(exchange, kept);
    if (found === undefined) return false;
    const following = scenario.steps[next + 1];
    if (following === undefined) {
      this.coverage.meet(scenario);
      return true;
    }
    const repeats = following.operationId === "same";
    const begun = {
      scenario,
      next: next + 1,
      kept: found,
      before: repeats ? exchange.fingerprint : undefined,
    };
    for (const key of getKeys(following, exchange.operationId)) {
      const list = addTo(this.#begun, key, begun);
      if (list.length > maxBegun) list.shift();
    }
    return true;
  }
}

/** The keys of the steps that do not repeat another one, which do not change. */
const getLastingKeys = memoize((step: ScenarioStep) => buildKeys(step), new WeakMap());

/** The key of a step: operation and outcome, or only one of them if the other may be anything. */
function getKeys(step: ScenarioStep | undefined, before?: OperationId): readonly string[] {
  if (step === undefined) return [];
  return step.operationId === "same" ? buildKeys(step, before) : getLastingKeys(step);
}

function buildKeys({ operationId, outcomes }: ScenarioStep, before?: OperationId): readonly string[] {
  if (operationId === undefined) return outcomes ?? [];
  const operationIds = operationId === "same" ? [before ?? ""] : [operationId].flat();
  if (outcomes === undefined) return operationIds;
  return operationIds.flatMap((id) => outcomes.map((outcome) => joinKeys(id, outcome)));
}

function joinKeys(operationId: string, outcome: string): string {
  return `${operationId}:${outcome}`;
}

function addTo<Value>(lists: Map<string, Value[]>, key: string, value: Value): Value[] {
  const list = lists.get(key);
  if (list !== undefined) {
    list.push(value);
    return list;
  }
  const created = [value];
  lists.set(key, created);
  return created;
}
