import {
  Badge,
  formatMoney,
  formatShortTime,
  Table,
  DescriptionList,
  toTitleCase,
} from "../../../openapi/html/components.js";
import type { ConsoleContext } from "../environment.js";
import { ActionButton } from "../form.js";
import { Link, createPageHandler } from "../page.js";
import type { Schemas } from "../page-visit.js";
import { buildInvoicePdf } from "./build-invoice-pdf.js";
import { prepareReturnLinks } from "./return-links.js";

/** The page at `portalUrl`: change or cancel the plan, and view invoices. */
export const portalPage = createPageHandler(async (c, visit) => {
  const { organizationId = "" } = c.req.param() as Record<string, string>;
  const params = { organizationId };
  const subscription = await visit.read("getSubscription", { params });
  const { orders } = await visit.read("listOrders", { params });
  const owner = await visit.findOrganization(organizationId);
  const returnLinks = await prepareReturnLinks(c);
  const { plan, status, currentPeriodEnd, trialEnd, cancelAtPeriodEnd } = subscription;
  return {
    title: "Billing",
    isForCustomers: true,
    formQuery: { from: returnLinks.from },
    content: (
      <>
        <DescriptionList
          of={[
            ["Organization", owner?.name ?? organizationId],
            ["Plan", <span data-plan={plan}>{toTitleCase(plan)}</span>],
            ["Status", <Badge state={status} />],
            ["Trial ends", status === "trialing" && trialEnd !== null ? formatShortTime(trialEnd) : null],
            [cancelAtPeriodEnd ? "Ends" : "Period ends", formatShortTime(currentPeriodEnd)],
          ]}
        />
        <Changes subscription={subscription} />
        <section>
          <h2>Invoices</h2>
          <Table
            label="Invoices"
            head={["Number", "Date", ["Amount", "number"], "Status"]}
            rows={orders.map((order) => [
              <Link to={`/invoices/${encodeURIComponent(order.orderId)}.pdf`}>{order.invoiceNumber}</Link>,
              order.createdAt.slice(0, 10),
              formatMoney(order.amount, order.currency),
              order.status,
            ])}
          />
        </section>
        <div class="buttons">
          <a
            class="button"
            href={
              returnLinks.to("portalReturnUrl") ?? visit.link("/billing", { organization: organizationId })
            }
          >
            Return
          </a>
        </div>
      </>
    ),
  };
});

function Changes({ subscription }: { subscription: Schemas["SubscriptionState"] }) {
  const { organizationId, plan, status, cancelAtPeriodEnd } = subscription;
  const change = (
    body: Schemas["SubscriptionChange"],
    label: string,
    kind: "main" | "quiet" | "danger" = "quiet",
  ) => (
    <ActionButton
      call={{ operation: "changeSubscription", params: { organizationId }, body, done: "saved" }}
      label={label}
      kind={kind}
    />
  );
  const isPaid = plan !== "free" && status !== "canceled";
  return (
    <section aria-label="Changes">
      <h2>Change the plan</h2>
      <div class="buttons">
        {["past_due", "incomplete"].includes(status)
          ? change({ status: "active" }, "Pay the open invoice", "main")
          : null}
        {(["free", "pro", "enterprise"] as const)
          .filter((other) => (status === "canceled" ? other !== "free" : other !== plan))
          .map((other) => change({ plan: other }, `Change to ${toTitleCase(other)}`))}
      </div>
      {isPaid ? (
        <div class="buttons">
          {cancelAtPeriodEnd
            ? change({ cancelAtPeriodEnd: false }, "Keep the plan")
            : change({ cancelAtPeriodEnd: true }, "Cancel at the end of the period")}
          {change({ status: "canceled" }, "Cancel now", "danger")}
        </div>
      ) : null}
    </section>
  );
}

/** An invoice as a PDF. */
export async function serveInvoice(c: ConsoleContext) {
  const visit = c.get("visit");
  const [, orderId = "", short = ""] = /^(order_(.+)_\d+)\.pdf$/.exec(c.req.param("file") ?? "") ?? [];
  const owner = await visit.findOrganization(`org_${short}`);
  if (owner === undefined) return c.text("There is no such invoice.", 404);
  const { organizationId, name: organizationName } = owner;
  const { orders } = await visit.read("listOrders", { params: { organizationId } });
  const order = orders.find((one) => one.orderId === orderId);
  if (order === undefined) return c.text("There is no such invoice.", 404);
  return c.body(buildInvoicePdf({ ...order, organizationName }), 200, {
    "Content-Type": "application/pdf",
    "Content-Disposition": `inline; filename="${order.invoiceNumber}.pdf"`,
  });
}
