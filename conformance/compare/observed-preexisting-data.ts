import { parseInstant } from "../steps/parse-instant.js";
import { findBrokenClauses } from "./causes.js";
import { isOneSided, type Mismatch } from "./compare-bodies.js";
import type { HistoryStep } from "./history.js";
import { type Pair, sides } from "./pair.js";
import type { HistoryResult, PreexistingData } from "./run-history.js";

const instants = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;

const organizationIds = /"organizationId"\s*:\s*"([^"]*)"/g;

/** Callers with tokens for their own organizations; the organizations' plans determine which checkouts are refused. */
const owners: readonly string[] = ["owner", "outsider"];

/** Data that existed in the accounts before the run, such as names, plans and limits; its differences are ignored. */
export class ObservedPreexistingData implements PreexistingData {
  readonly #differences = new Set<string>();
  readonly #instants = new Set<number>();
  readonly #organizations = new Set<string>();
  /** Start of the run by the clock of each target, from the creation of the database of the run. */
  #startedAt: readonly number[] = [-Infinity, -Infinity];

  /** Registers all values in a history of reads as preexisting, except the database of the run. */
  record({ differences, exchanges }: HistoryResult): void {
    for (const pair of exchanges) {
      const bodies = pair.map(({ answer }) => answer?.body ?? "");
      for (const [, id = ""] of bodies.join(" ").matchAll(organizationIds)) this.#organizations.add(id);
      if (pair[0].operationId === "getDatabase")
        this.#startedAt = bodies.map(
          (body) => parseInstant(/"createdAt"\s*:\s*"([^"]*)"/.exec(body)?.[1]) ?? -Infinity,
        );
      else
        for (const [text] of bodies.join(" ").matchAll(instants))
          this.#instants.add(parseInstant(text) ?? NaN);
    }
    for (const difference of differences) {
      const { step, field, kind } = difference;
      const { caller } = step.exchange;
      if (step.operationId === "getPaymentStatus" && field.endsWith(".planType") && owners.includes(caller))
        this.#differences.add(`plan of ${caller}`);
      const isOfValue = !/^(route|header)/.test(field) && !isOneSided(kind);
      // A difference that breaks a clause is a fault of the target, not a property of the account.
      const isAllowed = sides.every((side) => findBrokenClauses(difference, side).length === 0);
      if (isOfValue && isAllowed && step.operationId !== "getDatabase")
        this.#differences.add(getDifferenceKey(difference, step));
    }
  }

  has(mismatch: Mismatch, step: HistoryStep): boolean {
    const { field, first, second, isOperationSpecific } = mismatch;
    // Different plans explain refused checkouts, but not server errors.
    const isRefusal =
      field === "status" && isOperationSpecific === true && /\b4\d\d\b/.test(`${first} ${second}`);
    const isOfPlan = this.#differences.has(`plan of ${step.exchange.caller}`) && isRefusal;
    if (step.operationId === "createCheckout" && isOfPlan) return true;
    return this.#differences.has(getDifferenceKey(mismatch, step));
  }

  hasOrganization(id: unknown): boolean {
    return typeof id === "string" && this.#organizations.has(id);
  }

  arePreexisting([firstInstant, secondInstant]: Pair<number>): boolean {
    const [firstStart = 0, secondStart = 0] = this.#startedAt;
    return (
      firstInstant < firstStart ||
      secondInstant < secondStart ||
      this.#instants.has(firstInstant) ||
      this.#instants.has(secondInstant)
    );
  }
}

/** Returns a key of a difference; a status depends on the caller, because callers may be refused for different reasons. */
function getDifferenceKey(
  { field, first, second }: Mismatch,
  { operationId, exchange }: HistoryStep,
): string {
  const about = field === "status" ? [operationId, exchange.caller] : [];
  return [field, first, second, ...about].join("\0");
}
