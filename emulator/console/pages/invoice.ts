import type { components } from "../../../openapi/generated/control-plane-types.js";
import type { ConsoleApp } from "../console-app.js";

/** The invoice of an order, as `invoicePdfUrl` names it. */
export function mountInvoice(app: ConsoleApp): void {
  app.get("/invoices/:file", async (c) => {
    const visit = c.get("visit");
    const [, orderId = "", short = ""] = /^(order_(.+)_\d+)\.pdf$/.exec(c.req.param("file")) ?? [];
    const organizationId = `org_${short}`;
    const [list, organizations] = await Promise.all([
      visit.ask("GET", `/_emulator/subscriptions/${encodeURIComponent(organizationId)}/orders`),
      visit.organizations(),
    ]);
    const organization = organizations.find((one) => one.organizationId === organizationId);
    const order = list.isOk
      ? (list.body as components["schemas"]["OrderList"]).orders.find((one) => one.orderId === orderId)
      : undefined;
    if (order === undefined || organization === undefined) return c.text("There is no such invoice.", 404);
    // loaded with the first invoice
    const { invoicePdf } = await import("../invoice-pdf.js");
    return c.body(invoicePdf({ ...order, organizationName: organization.name }), 200, {
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${order.invoiceNumber}.pdf"`,
    });
  });
}
