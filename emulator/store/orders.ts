import type { CheckoutPlanType } from "../../openapi/schemas/billing.js";
import * as column from "../sqlite/columns.js";
import { type RowOf, RowStatements, StateTable } from "../sqlite/state-table.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** Charges to organizations. */
export const ordersTable = new StateTable("orders", {
  orderId: column.text("UNIQUE"),
  organizationId: column.inPrimaryKey(column.text("REFERENCES organizations (organization_id)")),
  /** Numbers the orders of an organization from 1. */
  number: column.inPrimaryKey(column.integer()),
  /** In cents. */
  amount: column.integer(),
  status: column.text<"paid" | "pending" | "failed">(),
  createdAt: column.timestamp(),
});
export type OrderRow = RowOf<typeof ordersTable>;
export type OrderStatus = OrderRow["status"];

export const checkoutsTable = new StateTable("checkouts", {
  checkoutId: column.text("PRIMARY KEY"),
  organizationId: column.text("REFERENCES organizations (organization_id)"),
  plan: column.text<CheckoutPlanType>(),
  createdAt: column.timestamp(),
  /** The time at which the plan takes effect; null unless the checkout is paid. */
  completesAt: column.nullable(column.timestamp()),
  /** The id of the subscription that starts then. */
  subscriptionId: column.nullable(column.text()),
  completedAt: column.nullable(column.timestamp()),
});
export type CheckoutRow = RowOf<typeof checkoutsTable>;

/** Orders and checkouts. */
export function prepareOrderStatements(statements: PreparedStatements) {
  const orders = new RowStatements(statements, ordersTable);
  const checkouts = new RowStatements(statements, checkoutsTable);
  const newestFirst = "WHERE organization_id = ? ORDER BY number DESC";
  const removeOrders = statements.write<[string]>("DELETE FROM orders WHERE organization_id = ?");
  const removeCheckouts = statements.write<[string]>("DELETE FROM checkouts WHERE organization_id = ?");
  return {
    latest: orders.one<[string]>(`${newestFirst} LIMIT 1`),
    /** Lists all orders of an organization, newest first. */
    all: orders.list<[string]>(newestFirst),
    insert: orders.insert(),
    put: orders.put(),
    checkout: checkouts.one<[string]>("WHERE checkout_id = ?"),
    putCheckout: checkouts.put(),
    /** Returns the paid checkouts that are due, in order of time. */
    dueCheckouts: checkouts.list<[now: number]>("WHERE completes_at <= ? ORDER BY completes_at, checkout_id"),
    /** Returns an organization's paid checkouts whose plans are not in effect yet, in order of time. */
    upcomingCheckouts: checkouts.list<[organizationId: string]>(
      "WHERE organization_id = ? AND completes_at IS NOT NULL ORDER BY completes_at, checkout_id",
    ),
    nextDueAt: statements.earliest("checkouts", "completes_at"),
    /** Removes the orders and checkouts of an organization. */
    removeAllOf: (organizationId: string) => {
      removeOrders(organizationId);
      removeCheckouts(organizationId);
    },
  };
}
