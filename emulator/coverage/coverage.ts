import type { OperationId } from "../../openapi/operations/register.js";
import { scenarios } from "../../openapi/situations/scenarios.js";
import type { Exchange, Scenario, ScenarioStep } from "../../openapi/situations/situation.js";

/** The situations that the requests to an emulator have met, in all of its namespaces and those that are gone. */
export class Coverage {
  readonly #operations = new Map<OperationId, MetOperation>();
  readonly #scenarios = new Set<Scenario>();
  /** Scenarios that were not met yet, by the keys of their first step. */
  readonly #beginnings = new Map<string, Scenario[]>();

  constructor() {
    for (const scenario of scenarios)
      for (const key of getKeys(scenario.steps[0])) addTo(this.#beginnings, key, scenario);
  }

  /** The ids of the situations that were met, and of answers that are no situations. */
  get met(): readonly string[] {
    const ofOperations = [...this.#operations].flatMap(([operationId, { credentials, outcomes }]) => [
      ...[...credentials].map((credential) => `${operationId}@${credential}`),
      ...[...outcomes].map((outcome) => `${operationId}:${outcome}`),
    ]);
    return [...ofOperations, ...[...this.#scenarios].map(({ id }) => id)];
  }

  /** Counts an answer, and the credential that it was given to. */
  count(operationId: OperationId, outcome: string, credential: string | undefined): void {
    let met = this.#operations.get(operationId);
    if (met === undefined)
      this.#operations.set(operationId, (met = { credentials: new Set(), outcomes: new Set() }));
    met.outcomes.add(outcome);
    if (credential !== undefined) met.credentials.add(credential);
  }

  /** The scenarios that exchanges of an operation or with an outcome may begin. */
  beginnings(key: string): readonly Scenario[] | undefined {
    return this.#beginnings.get(key);
  }

  isMet(scenario: Scenario): boolean {
    return this.#scenarios.has(scenario);
  }

  /** What was met is looked for no more. */
  meet(scenario: Scenario): void {
    this.#scenarios.add(scenario);
    for (const key of getKeys(scenario.steps[0])) {
      const left = this.#beginnings.get(key)?.filter((other) => other !== scenario) ?? [];
      if (left.length > 0) this.#beginnings.set(key, left);
      else this.#beginnings.delete(key);
    }
  }
}

interface MetOperation {
  readonly credentials: Set<string>;
  readonly outcomes: Set<string>;
}

/** A scenario whose first steps have happened. */
interface BegunScenario {
  readonly scenario: Scenario;
  /** The step that has to come. */
  readonly next: number;
  readonly kept: unknown;
  /** The exchange before, where the next one repeats it. */
  readonly before: Exchange | undefined;
}

/** How many begun scenarios wait for the same operation or outcome; older ones are given up. */
const maxBegun = 16;

/** Looks for scenarios in the exchanges of a namespace. */
export class ScenarioDetector {
  readonly #coverage: Coverage;
  /** By the keys of the step that they wait for. */
  readonly #begun = new Map<string, BegunScenario[]>();

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  /**
   * Counts an exchange.
   *
   * @param describe is called only where a scenario begins or goes on
   */
  count(
    operationId: OperationId,
    outcome: string,
    credential: string | undefined,
    describe: () => Exchange,
  ): void {
    const coverage = this.#coverage;
    coverage.count(operationId, outcome, credential);
    const ofOperation = this.#begun.get(operationId);
    const ofOutcome = this.#begun.get(outcome);
    const firstOfOperation = coverage.beginnings(operationId);
    const firstOfOutcome = coverage.beginnings(outcome);
    // spelled out, because most requests end here
    if (
      ofOperation === undefined &&
      ofOutcome === undefined &&
      firstOfOperation === undefined &&
      firstOfOutcome === undefined
    )
      return;
    const exchange = describe();
    this.#begun.delete(operationId);
    this.#begun.delete(outcome);
    this.#follow(operationId, ofOperation, exchange);
    this.#follow(outcome, ofOutcome, exchange);
    for (const scenario of [...(firstOfOperation ?? []), ...(firstOfOutcome ?? [])])
      this.#take({ scenario, next: 0, kept: undefined, before: undefined }, exchange);
  }

  /** Forgets what has begun. */
  reset(): void {
    this.#begun.clear();
  }

  #follow(key: string, list: readonly BegunScenario[] | undefined, exchange: Exchange): void {
    for (const begun of list ?? [])
      if (!this.#coverage.isMet(begun.scenario) && !this.#take(begun, exchange))
        addTo(this.#begun, key, begun);
  }

  /** Whether an exchange is the next step of a scenario, which then goes on or is met. */
  #take({ scenario, next, kept, before }: BegunScenario, exchange: Exchange): boolean {
    const step = scenario.steps[next];
    if (step === undefined || !matchesStep(step, exchange, before)) return false;
    const found = step.keep === undefined ? true : step.keep(exchange, kept);
    if (found === undefined) return false;
    const following = scenario.steps[next + 1];
    if (following === undefined) {
      this.#coverage.meet(scenario);
      return true;
    }
    const repeats = following.operationId === "same";
    const begun = { scenario, next: next + 1, kept: found, before: repeats ? exchange : undefined };
    for (const key of getKeys(following, exchange.operationId)) {
      const list = addTo(this.#begun, key, begun);
      if (list.length > maxBegun) list.shift();
    }
    return true;
  }
}

function matchesStep(
  { operationId, outcomes }: ScenarioStep,
  exchange: Exchange,
  before: Exchange | undefined,
): boolean {
  if (outcomes?.includes(exchange.outcome) === false) return false;
  if (operationId === "same")
    return before?.target === exchange.target && before.requestBody === exchange.requestBody;
  if (operationId === undefined || operationId === exchange.operationId) return true;
  return typeof operationId !== "string" && operationId.includes(exchange.operationId);
}

/** What a step is looked up by: its operations, or its outcomes where it may be of any. */
function getKeys(step: ScenarioStep | undefined, before?: OperationId): readonly string[] {
  const { operationId, outcomes = [] } = step ?? {};
  if (operationId === "same") return before === undefined ? [] : [before];
  return operationId === undefined ? outcomes : [operationId].flat();
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
