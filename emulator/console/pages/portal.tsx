import { Facts, money, planTitle, shortTime, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action } from "../form.js";
import { Link, Noticed, showPayPage } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import type { Schemas } from "../visit.js";
import { type ReturnAddress, returnAddressOf } from "./return-address.js";

type Subscription = Schemas["SubscriptionState"];

/** What the buttons of the portal change in the subscription. */
const changes: Readonly<Record<string, Schemas["SubscriptionChange"]>> = {
  free: { plan: "free" },
  pro: { plan: "pro" },
  enterprise: { plan: "enterprise" },
  end: { cancelAtPeriodEnd: true },
  keep: { cancelAtPeriodEnd: false },
  cancel: { status: "canceled" },
  pay: { status: "active" },
};

/** The page behind `portalUrl`: change the plan, end it, look at invoices. */
export function mountPortal(app: ConsoleApp): void {
  app.get("/portal/:organizationId", (c) => show(c));

  app.post("/portal/:organizationId", async (c) => {
    const visit = c.get("visit");
    const { change = "", from } = c.get("fields");
    const body = (Object.hasOwn(changes, change) ? changes[change] : undefined) ?? {};
    const id = encodeURIComponent(c.req.param("organizationId"));
    const reply = await visit.ask("PATCH", `/_emulator/subscriptions/${id}`, { body });
    if (!reply.isOk) return show(c, refusalOf(reply));
    return c.redirect(visit.link(`/portal/${id}`, { done: "saved", from }), 303);
  });

  app.get("/invoices/:file", async (c) => {
    const visit = c.get("visit");
    const [, orderId = "", short = ""] = /^(order_(.+)_\d+)\.pdf$/.exec(c.req.param("file")) ?? [];
    const organizationId = `org_${short}`;
    const organizations = await visit.organizations();
    const list = await visit.ask(
      "GET",
      `/_emulator/subscriptions/${encodeURIComponent(organizationId)}/orders`,
    );
    const orders = list.isOk ? (list.body as Schemas["OrderList"]).orders : [];
    const order = orders.find((one) => one.orderId === orderId);
    const organization = organizations.find((one) => one.organizationId === organizationId);
    if (order === undefined || organization === undefined) return c.text("There is no such invoice.", 404);
    // loaded with the first invoice
    const { invoicePdf } = await import("./invoice-pdf.js");
    return c.body(invoicePdf({ ...order, organizationName: organization.name }), 200, {
      "Content-Type": "application/pdf",
      "Content-Disposition": `inline; filename="${order.invoiceNumber}.pdf"`,
    });
  });
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const organizationId = c.req.param("organizationId") ?? "";
  const path = `/_emulator/subscriptions/${encodeURIComponent(organizationId)}`;
  const [found, orders, organizations] = await Promise.all([
    visit.ask("GET", path),
    visit.ask("GET", `${path}/orders`),
    visit.organizations(),
  ]);
  if (!found.isOk)
    return showPayPage(
      c,
      { title: "No such organization", status: 404 },
      <>
        <h1>No such organization</h1>
        <p>
          The namespace <strong>{visit.namespace}</strong> has no organization of this id any more.
        </p>
      </>,
    );
  const back = await returnAddressOf(c);
  const subscription = found.body as Subscription;
  const { plan, status, currentPeriodEnd, trialEnd, cancelAtPeriodEnd } = subscription;
  const name = organizations.find((one) => one.organizationId === organizationId)?.name ?? organizationId;
  return showPayPage(
    c,
    { title: "Billing", refusal },
    <>
      <h1>Billing</h1>
      <Noticed />
      <Facts
        facts={[
          ["Organization", name],
          ["Plan", <span data-plan={plan}>{planTitle(plan)}</span>],
          ["Status", <span class={`badge ${status}`}>{status.replace("_", " ")}</span>],
          ["Trial until", status === "trialing" && trialEnd !== null ? shortTime(trialEnd) : null],
          [cancelAtPeriodEnd ? "Ends" : "Period until", shortTime(currentPeriodEnd)],
        ]}
      />
      <Changes subscription={subscription} back={back} />
      <Invoices orders={(orders.body as Schemas["OrderList"]).orders} />
      <div class="buttons">
        <a
          class="button"
          href={back.to("portalReturnUrl") ?? visit.link("/billing", { organization: organizationId })}
        >
          Return
        </a>
      </div>
    </>,
  );
}

function Changes({ subscription, back }: { subscription: Subscription; back: ReturnAddress }) {
  const { organizationId, plan, status, cancelAtPeriodEnd } = subscription;
  const to = `/portal/${encodeURIComponent(organizationId)}`;
  const change = (name: string, label: string, kind: "main" | "quiet" | "danger" = "quiet") => (
    <Action to={to} label={label} kind={kind} fields={{ change: name, from: back.from }} />
  );
  const isPaid = plan !== "free" && status !== "canceled";
  return (
    <section aria-label="Changes">
      <h2>Change the plan</h2>
      <div class="buttons">
        {["past_due", "incomplete"].includes(status) ? change("pay", "Pay the open invoice", "main") : null}
        {["free", "pro", "enterprise"]
          .filter((other) => (status === "canceled" ? other !== "free" : other !== plan))
          .map((other) => change(other, `Change to ${planTitle(other)}`))}
      </div>
      {isPaid ? (
        <div class="buttons">
          {cancelAtPeriodEnd
            ? change("keep", "Keep the plan")
            : change("end", "Cancel at the end of the period")}
          {change("cancel", "Cancel now", "danger")}
        </div>
      ) : null}
    </section>
  );
}

function Invoices({ orders }: { orders: readonly Schemas["Order"][] }) {
  return (
    <section>
      <h2>Invoices</h2>
      <Table
        label="Invoices"
        head={["Number", "Date", ["Amount", "number"], "Status"]}
        rows={orders.map(({ orderId, invoiceNumber, createdAt, amount, currency, status }) => [
          <Link to={`/invoices/${encodeURIComponent(orderId)}.pdf`}>{invoiceNumber}</Link>,
          createdAt.slice(0, 10),
          money(amount, currency),
          status,
        ])}
      />
    </section>
  );
}
