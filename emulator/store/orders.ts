import type { SqlValue } from "sql.js";
import type { CheckoutPlanType } from "../../openapi/schemas/billing.js";
import type { Statements } from "../sqlite/statement.js";

/** What an organization was charged with; times in milliseconds, amounts in cents. */
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

/** A plan that somebody is about to buy; times in milliseconds. */
export interface CheckoutRow {
  readonly checkoutId: string;
  readonly organizationId: string;
  readonly plan: CheckoutPlanType;
  readonly createdAt: number;
  readonly completedAt: number | null;
}

const orderColumns = "order_id, organization_id, number, amount, status, created_at";
const checkoutColumns = "checkout_id, organization_id, plan, created_at, completed_at";

function readOrder(row: SqlValue[]): OrderRow {
  return {
    orderId: row[0] as string,
    organizationId: row[1] as string,
    number: row[2] as number,
    amount: row[3] as number,
    status: row[4] as OrderStatus,
    createdAt: row[5] as number,
  };
}

function readCheckout(row: SqlValue[]): CheckoutRow {
  return {
    checkoutId: row[0] as string,
    organizationId: row[1] as string,
    plan: row[2] as CheckoutPlanType,
    createdAt: row[3] as number,
    completedAt: row[4] as number | null,
  };
}

/** Orders and the checkouts they come from. */
export function orderStatements(statements: Statements) {
  const latest = statements.query<[string], OrderRow>(
    `SELECT ${orderColumns} FROM orders WHERE organization_id = ? ORDER BY number DESC LIMIT 1`,
    readOrder,
  );
  const insert = statements.command<[string, string, number, number, string, number]>(
    `INSERT INTO orders (${orderColumns}) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const setStatus = statements.command<[string, string]>("UPDATE orders SET status = ? WHERE order_id = ?");
  const removeOrders = statements.command<[string]>("DELETE FROM orders WHERE organization_id = ?");
  const checkout = statements.query<[string], CheckoutRow>(
    `SELECT ${checkoutColumns} FROM checkouts WHERE checkout_id = ?`,
    readCheckout,
  );
  const insertCheckout = statements.command<[string, string, string, number, number | null]>(
    `INSERT INTO checkouts (${checkoutColumns}) VALUES (?, ?, ?, ?, ?)`,
  );
  const completeCheckout = statements.command<[number, string]>(
    "UPDATE checkouts SET completed_at = ? WHERE checkout_id = ?",
  );
  const removeCheckouts = statements.command<[string]>("DELETE FROM checkouts WHERE organization_id = ?");
  return {
    latest: (organizationId: string) => latest.first(organizationId),
    insert: (row: OrderRow) =>
      insert.run(row.orderId, row.organizationId, row.number, row.amount, row.status, row.createdAt),
    setStatus: (orderId: string, status: OrderStatus) => setStatus.run(status, orderId),
    checkout: (checkoutId: string) => checkout.first(checkoutId),
    insertCheckout: (row: CheckoutRow) =>
      insertCheckout.run(row.checkoutId, row.organizationId, row.plan, row.createdAt, row.completedAt),
    completeCheckout: (checkoutId: string, now: number) => completeCheckout.run(now, checkoutId),
    /** Removes the orders and checkouts of an organization. */
    removeAllOf: (organizationId: string) => {
      removeOrders.run(organizationId);
      removeCheckouts.run(organizationId);
    },
  };
}
