import type { PlanType } from "../../openapi/clauses/limits.js";
import type { SubscriptionStatus } from "../../openapi/schemas/billing.js";
import * as column from "../sqlite/columns.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** The subscriptions of organizations. Every organization has exactly one. */
export const subscriptionsTable = new StateTable("subscriptions", {
  organizationId: column.text("PRIMARY KEY REFERENCES organizations (organization_id)"),
  subscriptionId: column.text(),
  /** The plan that was bought. If the subscription is canceled, the organization's plan is free. */
  plan: column.text<PlanType>(),
  status: column.text<SubscriptionStatus>(),
  /** The time from which billing periods are counted. */
  anchor: column.timestamp(),
  trialStart: column.nullable(column.timestamp()),
  trialEnd: column.nullable(column.timestamp()),
  /** Whether the organization has ever had a trial. It can have only one. */
  trialUsed: column.flag(),
  cancelAtPeriodEnd: column.flag(),
  /** The next time at which it changes by itself, at the end of the trial or period; null if it does not. */
  dueAt: column.nullable(column.timestamp()),
});
export type SubscriptionRow = RowOf<typeof subscriptionsTable>;

/** Subscriptions, one for each organization. */
export function prepareSubscriptionStatements(statements: PreparedStatements) {
  const subscriptions = new RowStatements(statements, subscriptionsTable);
  return {
    of: subscriptions.one<[string]>("WHERE organization_id = ?"),
    /** Returns the subscriptions that are due, in order of time. */
    due: subscriptions.list<[now: number]>("WHERE due_at <= ? ORDER BY due_at, organization_id"),
    nextDueAt: statements.earliest("subscriptions", "due_at"),
    put: subscriptions.put(),
    remove: statements.write<[string]>("DELETE FROM subscriptions WHERE organization_id = ?"),
  };
}
