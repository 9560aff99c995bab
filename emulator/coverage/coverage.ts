import type { OperationId } from "../../openapi/operations/register.js";
import { scenarios } from "../../openapi/situations/scenarios.js";
import type { Exchange, Scenario } from "../../openapi/situations/situation.js";

/** The situations that requests to an emulator have covered, in all its namespaces, including deleted ones. */
export class Coverage {
  /** Ids of the situations that were covered, and of responses that are not situations. */
  readonly #met = new Set<string>();
  /** Scenarios that are not covered yet, by the key of their first step. */
  readonly #scenariosByFirstKey = new Map<string, Scenario[]>();

  constructor() {
    for (const scenario of scenarios) addTo(this.#scenariosByFirstKey, getFirstKey(scenario), scenario);
  }

  get met(): readonly string[] {
    return [...this.#met];
  }

  /** Records a response and the credential of the caller. */
  count(operationId: OperationId, outcome: string, credential: string | undefined): void {
    this.#met.add(getOutcomeId(operationId, outcome));
    if (credential !== undefined) this.#met.add(getCredentialId(operationId, credential));
  }

  /** Returns the scenarios that an exchange with a key can start. */
  startingWith(key: string): readonly Scenario[] | undefined {
    return this.#scenariosByFirstKey.get(key);
  }

  isMet(scenario: Scenario): boolean {
    return this.#met.has(scenario.id);
  }

  /** Records that a scenario was covered, and stops looking for it. */
  markMet(scenario: Scenario): void {
    this.#met.add(scenario.id);
    const key = getFirstKey(scenario);
    const left = this.#scenariosByFirstKey.get(key)?.filter((other) => other !== scenario) ?? [];
    if (left.length > 0) this.#scenariosByFirstKey.set(key, left);
    else this.#scenariosByFirstKey.delete(key);
  }
}

/** A scenario whose first steps have occurred. */
interface StartedScenario {
  readonly scenario: Scenario;
  /** The next step. */
  readonly next: number;
  /** The value that the previous step has kept. */
  readonly kept: unknown;
  /** The fingerprint of the previous request, if the next one repeats it. */
  readonly before: string | undefined;
}

/** Maximum number of started scenarios that wait for exchanges with the same key; older ones are dropped. */
const maxStarted = 4;

/** Looks for scenarios in the exchanges of a namespace. */
export class ScenarioDetector {
  /** Started scenarios by the keys of their next step. */
  readonly #started = new Map<string, StartedScenario[]>();

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
    const keys = [operationId, outcome, getOutcomeId(operationId, outcome)];
    // Returns early for most requests.
    if (!keys.some((key) => this.#started.has(key) || coverage.startingWith(key) !== undefined)) return;
    const exchange = describe();
    const waiting = keys.map((key) => this.#started.get(key));
    for (const key of keys) this.#started.delete(key);
    for (const [index, key] of keys.entries()) this.#continue(key, waiting[index], exchange);
    for (const key of keys) this.#start(coverage.startingWith(key), exchange);
  }

  /** Drops all started scenarios. */
  reset(): void {
    this.#started.clear();
  }

  #start(scenarios: readonly Scenario[] | undefined, exchange: Exchange): void {
    for (const scenario of scenarios ?? [])
      this.#advance({ scenario, next: 0, kept: undefined, before: undefined }, exchange);
  }

  #continue(key: string, list: readonly StartedScenario[] | undefined, exchange: Exchange): void {
    for (const started of list ?? [])
      if (!this.coverage.isMet(started.scenario) && !this.#advance(started, exchange))
        addTo(this.#started, key, started);
  }

  /** Whether an exchange with the key of the next step is that step; the scenario then continues or is covered. */
  #advance({ scenario, next, kept, before }: StartedScenario, exchange: Exchange): boolean {
    const step = scenario.steps[next];
    if (step === undefined || (before !== undefined && before !== exchange.fingerprint)) return false;
    const [, , keep] = step;
    const found = keep === undefined ? true : keep(exchange, kept);
    if (found === undefined) return false;
    const following = scenario.steps[next + 1];
    if (following === undefined) {
      this.coverage.markMet(scenario);
      return true;
    }
    const [operationId, outcome] = following;
    const repeats = operationId === "same";
    const list = addTo(this.#started, joinKeys(repeats ? exchange.operationId : operationId, outcome), {
      scenario,
      next: next + 1,
      kept: found,
      before: repeats ? exchange.fingerprint : undefined,
    });
    if (list.length > maxStarted) list.shift();
    return true;
  }
}

function getFirstKey({ steps }: Scenario): string {
  return joinKeys(steps[0]?.[0], steps[0]?.[1]);
}

/** Returns the key of a step: operation and outcome, or only one of them if the step allows any value of the other. */
function joinKeys(operationId: string | undefined, outcome: string | undefined): string {
  if (operationId === undefined) return outcome ?? "";
  return outcome === undefined ? operationId : `${operationId}:${outcome}`;
}

const getOutcomeId = memoizePairs(joinKeys);
const getCredentialId = memoizePairs((operationId, credential) => `${operationId}@${credential}`);

/** Keeps the texts that a function joins: to look up a new text, a map or set would have to hash it for each request. */
function memoizePairs(join: (first: string, second: string) => string) {
  const texts = new Map<string, Map<string, string>>();
  return (first: string, second: string): string => {
    let ofFirst = texts.get(first);
    if (ofFirst === undefined) texts.set(first, (ofFirst = new Map<string, string>()));
    let text = ofFirst.get(second);
    if (text === undefined) ofFirst.set(second, (text = join(first, second)));
    return text;
  };
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
