import type { SqlValue } from "sql.js";
import type { CheckoutPlanType } from "../../openapi/schemas/billing.js";
import { RowMapping } from "../sqlite/row-mapping.js";
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
  /** The time at which the plan takes effect, and the id of its subscription, if the checkout is paid. */
  readonly completion: { readonly at: number; readonly subscriptionId: string } | null;
  readonly completedAt: number | null;
}

const form = new RowMapping<OrderRow>("order_id, organization_id, number, amount, status, created_at");

const checkoutColumns =
  "checkout_id, organization_id, plan, created_at, completes_at, subscription_id, completed_at";

function readCheckout(row: SqlValue[]): CheckoutRow {
  return {
    checkoutId: row[0] as string,
    organizationId: row[1] as string,
    plan: row[2] as CheckoutPlanType,
    createdAt: row[3] as number,
    completion: row[4] === null ? null : { at: row[4] as number, subscriptionId: row[5] as string },
    completedAt: row[6] as number | null,
  };
}

/** Orders and checkouts. */
export function prepareOrderStatements(statements: PreparedStatements) {
  const { columns, markers, read } = form;
  const newestFirst = `SELECT ${columns} FROM orders WHERE organization_id = ? ORDER BY number DESC`;
  const insert = statements.write(`INSERT INTO orders (${columns}) VALUES (${markers})`);
  const setStatus = statements.write<[string, string]>("UPDATE orders SET status = ? WHERE order_id = ?");
  const removeOrders = statements.write<[string]>("DELETE FROM orders WHERE organization_id = ?");
  const insertCheckout = statements.write<[string, string, string, number, number | null]>(
    `INSERT INTO checkouts (${checkoutColumns}) VALUES (?, ?, ?, ?, NULL, NULL, ?)`,
  );
  const completeCheckout = statements.write<[number, string]>(
    "UPDATE checkouts SET completed_at = ?, completes_at = NULL, subscription_id = NULL WHERE checkout_id = ?",
  );
  const awaitCompletion = statements.write<[number, string, string]>(
    "UPDATE checkouts SET completes_at = ?, subscription_id = ? WHERE checkout_id = ?",
  );
  const nextDueAt = statements.earliest("checkouts", "completes_at");
  const removeCheckouts = statements.write<[string]>("DELETE FROM checkouts WHERE organization_id = ?");
  return {
    latest: statements.one<[string], OrderRow>(`${newestFirst} LIMIT 1`, read),
    /** All of an organization, newest first. */
    all: statements.list<[string], OrderRow>(newestFirst, read),
    insert: (row: OrderRow) => insert(...form.values(row)),
    setStatus: (orderId: string, status: OrderStatus) => setStatus(status, orderId),
    checkout: statements.one<[string], CheckoutRow>(
      `SELECT ${checkoutColumns} FROM checkouts WHERE checkout_id = ?`,
      readCheckout,
    ),
    insertCheckout: (row: Omit<CheckoutRow, "completion">) =>
      insertCheckout(row.checkoutId, row.organizationId, row.plan, row.createdAt, row.completedAt),
    completeCheckout: (checkoutId: string, now: number) => completeCheckout(now, checkoutId),
    /** Notes that a checkout is paid and when its plan will be in force. */
    awaitCompletion: (checkoutId: string, { at, subscriptionId }: NonNullable<CheckoutRow["completion"]>) =>
      awaitCompletion(at, subscriptionId, checkoutId),
    /** Returns the paid checkouts that are due, in order of time. */
    dueCheckouts: statements.list<[now: number], CheckoutRow>(
      `SELECT ${checkoutColumns} FROM checkouts WHERE completes_at <= ? ORDER BY completes_at, checkout_id`,
      readCheckout,
    ),
    nextDueAt,
    /** Removes the orders and checkouts of an organization. */
    removeAllOf: (organizationId: string) => {
      removeOrders(organizationId);
      removeCheckouts(organizationId);
    },
  };
}
