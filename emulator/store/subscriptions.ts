import type { PlanType } from "../../openapi/clauses/limits.js";
import type { SubscriptionStatus } from "../../openapi/schemas/billing.js";
import { booleanColumn, RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** The subscription of an organization as stored; times in milliseconds. Every organization has exactly one. */
export interface SubscriptionRow {
  readonly organizationId: string;
  readonly subscriptionId: string;
  /** The plan that was bought. If the subscription is canceled, the organization's plan is free. */
  readonly plan: PlanType;
  readonly status: SubscriptionStatus;
  /** The time from which billing periods are counted. */
  readonly anchor: number;
  readonly trialStart: number | null;
  readonly trialEnd: number | null;
  /** Whether the organization has ever had a trial. It can have only one. */
  readonly trialUsed: boolean;
  readonly cancelAtPeriodEnd: boolean;
  /** The next time at which it changes by itself, at the end of the trial or period; null if it does not. */
  readonly dueAt: number | null;
}

const mapping = new RowMapping<SubscriptionRow>(
  "subscriptions",
  "organization_id, subscription_id, plan, status, anchor, trial_start, trial_end, trial_used, cancel_at_period_end, due_at",
  { trialUsed: booleanColumn, cancelAtPeriodEnd: booleanColumn },
);

/** Subscriptions, one for each organization. */
export function prepareSubscriptionStatements(statements: PreparedStatements) {
  const subscriptions = new RowStatements(statements, mapping);
  return {
    of: subscriptions.one<[string]>("WHERE organization_id = ?"),
    /** Returns the subscriptions that are due, in order of time. */
    due: subscriptions.list<[now: number]>("WHERE due_at <= ? ORDER BY due_at, organization_id"),
    nextDueAt: statements.earliest("subscriptions", "due_at"),
    put: subscriptions.put(),
    remove: statements.write<[string]>("DELETE FROM subscriptions WHERE organization_id = ?"),
  };
}
