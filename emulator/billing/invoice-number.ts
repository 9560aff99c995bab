/** Formats the number of an order for its invoice. */
export function formatInvoiceNumber(order: number): string {
  return `INV-${String(order).padStart(6, "0")}`;
}
