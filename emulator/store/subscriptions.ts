import type { PlanType } from "../../openapi/clauses/limits.js";
import type { SubscriptionStatus } from "../../openapi/schemas/billing.js";
import { booleanColumn, RowMapping } from "../sqlite/row-mapping.js";
import type { Statements } from "../sqlite/statement.js";

/** The subscription of an organization as stored; times in milliseconds. Every organization has exactly one. */
export interface SubscriptionRow {
  readonly organizationId: string;
  readonly subscriptionId: string;
  /** The plan that was bought; the organization's own plan falls back to free when the subscription is canceled. */
  readonly plan: PlanType;
  readonly status: SubscriptionStatus;
  /** From when the months of billing count. */
  readonly anchor: number;
  readonly trialStart: number | null;
  readonly trialEnd: number | null;
  /** Whether the organization ever had a trial: there is one at most. */
  readonly trialUsed: boolean;
  readonly cancelAtPeriodEnd: boolean;
  /** When time changes it next: the trial or the period ends. Null when time changes nothing. */
  readonly dueAt: number | null;
}

const form = new RowMapping<SubscriptionRow>(
  "organization_id, subscription_id, plan, status, anchor, trial_start, trial_end, trial_used, cancel_at_period_end, due_at",
  { trialUsed: booleanColumn, cancelAtPeriodEnd: booleanColumn },
);

/** Subscriptions, one for each organization. */
export function subscriptionStatements(statements: Statements) {
  const { columns, markers, read } = form;
  const earliest = statements.query<[], number | null>(
    "SELECT MIN(due_at) FROM subscriptions",
    (row) => row[0] as number | null,
  );
  const put = statements.write(`INSERT OR REPLACE INTO subscriptions (${columns}) VALUES (${markers})`);
  const remove = statements.write<[string]>("DELETE FROM subscriptions WHERE organization_id = ?");
  let nextDue: number | undefined;
  return {
    of: statements.one<[string], SubscriptionRow>(
      `SELECT ${columns} FROM subscriptions WHERE organization_id = ?`,
      read,
    ),
    /** Those that time has changed by now, the longest due first. */
    due: statements.list<[now: number], SubscriptionRow>(
      `SELECT ${columns} FROM subscriptions WHERE due_at <= ? ORDER BY due_at, organization_id`,
      read,
    ),
    /** When time changes the next one; remembered, so that asking costs nothing. */
    nextDueAt: () => (nextDue ??= earliest.first() ?? Infinity),
    put: (row: SubscriptionRow) => {
      nextDue = undefined;
      put(...form.values(row));
    },
    remove: (organizationId: string) => {
      nextDue = undefined;
      remove(organizationId);
    },
    /** Forgets what is remembered, after a transaction was undone. */
    forget: () => {
      nextDue = undefined;
    },
  };
}
