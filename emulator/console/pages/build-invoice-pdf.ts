import { createHash } from "node:crypto";
import type * as jspdf from "jspdf";
import { formatMoney } from "../../../openapi/html/components.js";
import { lazyRequire } from "../../../openapi/packaged/lazy-require.js";

/** The content of an invoice. */
export interface Invoice {
  readonly invoiceNumber: string;
  readonly orderId: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly createdAt: string;
}

/** Creates a PDF of one page. The same invoice always gives the same bytes. */
export function buildInvoicePdf(invoice: Invoice): Uint8Array<ArrayBuffer> {
  const { invoiceNumber, orderId, organizationId, organizationName, amount, currency, status, createdAt } =
    invoice;
  const { jsPDF } = lazyRequire("jspdf") as typeof jspdf;
  const page = new jsPDF({ unit: "mm", format: "a4" });
  // A Date would be written in the time zone of the machine, and a text may have no later year.
  const year = Math.min(Number(createdAt.slice(0, 4)), 2037);
  const rest = createdAt.slice(4).replaceAll(/\D/g, "").slice(0, 10);
  page.setCreationDate(`D:${year}${rest}+00'00'`);
  page.setFileId(createHash("md5").update(orderId).digest("hex").toUpperCase());
  page.setProperties({ title: `Invoice ${invoiceNumber}`, creator: "data-service-emulator" });
  const left = 22;
  const right = 188;
  const line = (y: number) => page.setDrawColor(205).line(left, y, right, y);
  const text = (words: string, x: number, y: number, align: "left" | "right" = "left") =>
    page.text(replaceUnsupported(words), x, y, { align, maxWidth: 110 });
  page.setFont("helvetica", "bold").setFontSize(22);
  text("Invoice", left, 34);
  page.setFontSize(11);
  text("Data Service", right, 34, "right");
  page.setFont("helvetica", "normal").setFontSize(9).setTextColor(110);
  text("Issued by an emulator: nothing was charged.", right, 39, "right");
  page.setTextColor(20).setFontSize(10.5);
  const facts: readonly (readonly [string, string])[] = [
    ["Number", invoiceNumber],
    ["Date", createdAt.slice(0, 10)],
    ["Order", orderId],
    ["Billed to", `${organizationName} (${organizationId})`],
    ["Status", status],
  ];
  facts.forEach(([name, value], index) => {
    const y = 54 + index * 7;
    page.setTextColor(110);
    text(name, left, y);
    page.setTextColor(20);
    text(value, left + 34, y);
  });
  line(96);
  page.setFont("helvetica", "bold");
  text("Description", left, 103);
  text("Amount", right, 103, "right");
  line(107);
  page.setFont("helvetica", "normal");
  text("Subscription to the data service", left, 115);
  text(formatMoney(amount, currency), right, 115, "right");
  line(120);
  page.setFont("helvetica", "bold");
  text("Total", left, 128);
  text(formatMoney(amount, currency), right, 128, "right");
  return new Uint8Array(page.output("arraybuffer"));
}

/** Replaces characters that the standard fonts of PDF lack, which contain only Latin characters. */
function replaceUnsupported(words: string): string {
  return words.replace(/[^\x20-\x7e\xa0-\xff]/gu, "?");
}
