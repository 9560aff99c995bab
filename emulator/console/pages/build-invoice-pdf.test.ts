import { expect, it, vi } from "vitest";
import { buildInvoicePdf } from "./build-invoice-pdf.js";

const invoice = {
  invoiceNumber: "INV-000001",
  orderId: "order_1",
  organizationId: "org_1",
  organizationName: "Acme",
  amount: 2900,
  currency: "USD",
  status: "paid",
  createdAt: "2030-01-31T23:30:00.000Z",
};

it("creates an invoice of any year", () => {
  for (const createdAt of [
    "1970-01-01T00:00:00.000Z",
    "2040-02-29T00:00:00.000Z",
    "9998-12-31T23:59:59.999Z",
  ])
    expect(
      Buffer.from(buildInvoicePdf({ ...invoice, createdAt }))
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
});

it("gives an invoice the same bytes in every time zone", () => {
  vi.stubEnv("TZ", "Asia/Tokyo");
  const bytes = buildInvoicePdf(invoice);
  vi.stubEnv("TZ", "America/Lima");
  expect(Buffer.from(buildInvoicePdf(invoice))).toEqual(Buffer.from(bytes));
  vi.unstubAllEnvs();
  expect(Buffer.from(bytes).toString("latin1")).toContain("/CreationDate (D:20300131233000+00'00')");
});
