/** How the orders of an organization are numbered on invoices. */
export function formatInvoiceNumber(order: number): string {
  return `INV-${String(order).padStart(6, "0")}`;
}
