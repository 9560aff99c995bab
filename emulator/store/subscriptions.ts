import type { SqlValue } from "sql.js";
import type { PlanType } from "../../openapi/clauses/limits.js";
import type { SubscriptionStatus } from "../../openapi/schemas/billing.js";
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

const columns =
  "organization_id, subscription_id, plan, status, anchor, trial_start, trial_end, trial_used, cancel_at_period_end, due_at";

function readSubscription(row: SqlValue[]): SubscriptionRow {
  return {
    organizationId: row[0] as string,
    subscriptionId: row[1] as string,
    plan: row[2] as PlanType,
    status: row[3] as SubscriptionStatus,
    anchor: row[4] as number,
    trialStart: row[5] as number | null,
    trialEnd: row[6] as number | null,
    trialUsed: row[7] === 1,
    cancelAtPeriodEnd: row[8] === 1,
    dueAt: row[9] as number | null,
  };
}

/** Subscriptions, one for each organization. */
export function subscriptionStatements(statements: Statements) {
  const ofOrganization = statements.query<[string], SubscriptionRow>(
    `SELECT ${columns} FROM subscriptions WHERE organization_id = ?`,
    readSubscription,
  );
  const due = statements.query<[number], SubscriptionRow>(
    `SELECT ${columns} FROM subscriptions WHERE due_at <= ? ORDER BY due_at, organization_id`,
    readSubscription,
  );
  const earliest = statements.query<[], number | null>(
    "SELECT MIN(due_at) FROM subscriptions",
    (row) => row[0] as number | null,
  );
  const put = statements.command<(string | number | null)[]>(
    `INSERT OR REPLACE INTO subscriptions (${columns}) VALUES (${columns.replace(/\w+/g, "?")})`,
  );
  const remove = statements.command<[string]>("DELETE FROM subscriptions WHERE organization_id = ?");
  let nextDue: number | undefined;
  return {
    of: (organizationId: string) => ofOrganization.first(organizationId),
    /** Those that time has changed by now, the longest due first. */
    due: (now: number) => due.all(now),
    /** When time changes the next one; remembered, so that asking costs nothing. */
    nextDueAt: () => (nextDue ??= earliest.first() ?? Infinity),
    put: (row: SubscriptionRow) => {
      nextDue = undefined;
      put.run(
        row.organizationId,
        row.subscriptionId,
        row.plan,
        row.status,
        row.anchor,
        row.trialStart,
        row.trialEnd,
        Number(row.trialUsed),
        Number(row.cancelAtPeriodEnd),
        row.dueAt,
      );
    },
    remove: (organizationId: string) => {
      nextDue = undefined;
      remove.run(organizationId);
    },
    /** Forgets what is remembered, after a transaction was undone. */
    forget: () => {
      nextDue = undefined;
    },
  };
}
