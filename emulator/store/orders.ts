import type { CheckoutPlanType } from "../../openapi/schemas/billing.js";
import { RowMapping, RowStatements } from "../sqlite/row-mapping.js";
import type { PreparedStatements } from "../sqlite/statement.js";

/** A charge to an organization; times in milliseconds, amounts in cents. */
export interface OrderRow {
  readonly orderId: string;
  readonly organizationId: string;
  /** Numbers the orders of an organization from 1. */
  readonly number: number;
  readonly amount: number;
  readonly status: OrderStatus;
  readonly createdAt: number;
}

export type OrderStatus = "paid" | "pending" | "failed";

/** A checkout; times in milliseconds. */
export interface CheckoutRow {
  readonly checkoutId: string;
  readonly organizationId: string;
  readonly plan: CheckoutPlanType;
  readonly createdAt: number;
  /** The time at which the plan takes effect; null unless the checkout is paid. */
  readonly completesAt: number | null;
  /** The id of the subscription that starts then. */
  readonly subscriptionId: string | null;
  readonly completedAt: number | null;
}

const orderMapping = new RowMapping<OrderRow>(
  "orders",
  "order_id, organization_id, number, amount, status, created_at",
);

const checkoutMapping = new RowMapping<CheckoutRow>(
  "checkouts",
  "checkout_id, organization_id, plan, created_at, completes_at, subscription_id, completed_at",
);

/** Orders and checkouts. */
export function prepareOrderStatements(statements: PreparedStatements) {
  const orders = new RowStatements(statements, orderMapping);
  const checkouts = new RowStatements(statements, checkoutMapping);
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
