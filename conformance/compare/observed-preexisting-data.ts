import { parseInstant } from "../steps/parse-instant.js";
import { findBrokenClauses } from "./causes.js";
import type { PreexistingData, Mismatch } from "./compare-bodies.js";
import type { HistoryStep } from "./history.js";
import type { HistoryResult } from "./run-history.js";

const instants = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;

const organizationIds = /"organizationId"\s*:\s*"([^"]*)"/g;

/** Callers with tokens for their own organizations, whose plans determine which checkouts are refused. */
const owners: readonly string[] = ["owner", "outsider"];

/** Data that existed in the accounts before the run, such as names, plans and limits; its differences are ignored. */
export class ObservedPreexistingData implements PreexistingData {
  readonly #differences = new Set<string>();
  readonly #instants = new Set<number>();
  readonly #organizations = new Set<string>();
  /** Start of the run by the clock of each target, from the creation of the database of the run. */
  #began: readonly number[] = [-Infinity, -Infinity];

  /** Registers all values in a history of reads as preexisting, except the database of the run. */
  note({ differences, exchanges }: HistoryResult): void {
    for (const pair of exchanges) {
      const bodies = pair.map(({ answer }) => answer?.body ?? "");
      for (const [, id = ""] of bodies.join(" ").matchAll(organizationIds)) this.#organizations.add(id);
      if (pair[0].operationId === "getDatabase")
        this.#began = bodies.map(
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
      const isOfValue = !/^(route|header)|alone$/.test(`${field} ${kind}`);
      // what no account may have is a fault of the target
      const isAllowed = ([0, 1] as const).every((side) => findBrokenClauses(difference, side).length === 0);
      if (isOfValue && isAllowed && step.operationId !== "getDatabase")
        this.#differences.add(keyOf(difference, step));
    }
  }

  has(mismatch: Mismatch, step: HistoryStep): boolean {
    const { field, first, second, isOfOperation } = mismatch;
    // plans decide which checkouts are refused, and excuse no failure
    const isRefusal = field === "status" && isOfOperation === true && /\b4\d\d\b/.test(`${first} ${second}`);
    const isOfPlan = this.#differences.has(`plan of ${step.exchange.caller}`) && isRefusal;
    if (step.operationId === "createCheckout" && isOfPlan) return true;
    return this.#differences.has(keyOf(mismatch, step));
  }

  hasOrganization(id: unknown): boolean {
    return typeof id === "string" && this.#organizations.has(id);
  }

  areOld([mine, theirs]: readonly [number, number]): boolean {
    const [begun = 0, began = 0] = this.#began;
    return mine < begun || theirs < began || this.#instants.has(mine) || this.#instants.has(theirs);
  }
}

/** Others may be answered with a status for other reasons: it is given to its caller alone. */
function keyOf({ field, first, second }: Mismatch, { operationId, exchange }: HistoryStep): string {
  const about = field === "status" ? [operationId, exchange.caller] : [];
  return [field, first, second, ...about].join("\0");
}
