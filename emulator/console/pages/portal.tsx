import type { Context } from "hono";
import type { components } from "../../../openapi/generated/control-plane-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { generalRefusal, type Refusal } from "../field-problems.js";
import { Action } from "../form.js";
import { shortTime } from "../layout.js";
import { money } from "../money.js";
import { DoneNotice, RefusalNotice, Table } from "../notices.js";
import { PayDocument } from "../pay-document.js";
import { findReturnAddress, type ReturnAddress } from "../return-address.js";
import type { Visit } from "../visit.js";

type Subscription = components["schemas"]["SubscriptionState"];
type Order = components["schemas"]["Order"];

/** What the buttons of the portal change in the subscription. */
const changes: Readonly<Record<string, components["schemas"]["SubscriptionChange"]>> = {
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
  app.get("/portal/:organizationId", (c) => show(c, c.req.param("organizationId")));

  app.post("/portal/:organizationId", async (c) => {
    const visit = c.get("visit");
    const organizationId = c.req.param("organizationId");
    const { change = "", from } = c.get("fields");
    const body = Object.hasOwn(changes, change) ? changes[change] : undefined;
    const path = encodeURIComponent(organizationId);
    const reply = await visit.ask("PATCH", `/_emulator/subscriptions/${path}`, { body: body ?? {} });
    if (!reply.isOk) return show(c, organizationId, generalRefusal(reply));
    return c.redirect(visit.link(`/portal/${path}`, { done: "saved", from }), 303);
  });
}

async function show(
  c: Context<ConsoleEnvironment>,
  organizationId: string,
  refusal?: Refusal,
): Promise<Response> {
  const visit = c.get("visit");
  const path = `/_emulator/subscriptions/${encodeURIComponent(organizationId)}`;
  const [subscription, orders, organizations] = await Promise.all([
    visit.ask("GET", path),
    visit.ask("GET", `${path}/orders`),
    visit.organizations(),
  ]);
  if (!subscription.isOk) {
    c.status(404);
    return c.html(
      <PayDocument visit={visit} title="No such organization">
        <h1>No such organization</h1>
        <p>
          The namespace <strong>{visit.namespace}</strong> has no organization of this id any more.
        </p>
      </PayDocument>,
    );
  }
  const back = await findReturnAddress(
    visit,
    c.get("fields").from ?? c.req.query("from"),
    c.req.header("referer"),
  );
  c.set("formTargets", back.origins());
  if (refusal !== undefined) c.status(409);
  const name = organizations.find((one) => one.organizationId === organizationId)?.name ?? organizationId;
  return c.html(
    <PayDocument visit={visit} title="Billing">
      <h1>Billing</h1>
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal} />
      <Plan subscription={subscription.body as Subscription} name={name} />
      <Changes visit={visit} subscription={subscription.body as Subscription} back={back} />
      <Invoices visit={visit} orders={(orders.body as components["schemas"]["OrderList"]).orders} />
      <div class="buttons">
        <a
          class="button"
          href={back.to("portalReturnUrl") ?? visit.link("/billing", { organization: organizationId })}
        >
          Return
        </a>
      </div>
    </PayDocument>,
  );
}

function Plan({ subscription, name }: { subscription: Subscription; name: string }) {
  const { plan, status, currentPeriodEnd, trialEnd, cancelAtPeriodEnd } = subscription;
  return (
    <dl class="facts">
      <dt>Organization</dt>
      <dd dir="auto">{name}</dd>
      <dt>Plan</dt>
      <dd data-plan={plan}>{titled(plan)}</dd>
      <dt>Status</dt>
      <dd>
        <span class={`badge ${status}`}>{status.replace("_", " ")}</span>
      </dd>
      {status === "trialing" && trialEnd !== null ? (
        <>
          <dt>Trial until</dt>
          <dd>{shortTime(trialEnd)}</dd>
        </>
      ) : null}
      <dt>{cancelAtPeriodEnd ? "Ends" : "Period until"}</dt>
      <dd>{shortTime(currentPeriodEnd)}</dd>
    </dl>
  );
}

function Changes({
  visit,
  subscription,
  back,
}: {
  visit: Visit;
  subscription: Subscription;
  back: ReturnAddress;
}) {
  const { organizationId, plan, status, cancelAtPeriodEnd } = subscription;
  const action = visit.link(`/portal/${encodeURIComponent(organizationId)}`);
  const change = (name: string, label: string, kind: "main" | "quiet" | "danger" = "quiet") => (
    <Action action={action} label={label} kind={kind} fields={{ change: name, from: back.from }} />
  );
  const isPaid = plan !== "free" && status !== "canceled";
  return (
    <section aria-label="Changes">
      <h2>Change the plan</h2>
      <div class="buttons">
        {["past_due", "incomplete"].includes(status) ? change("pay", "Pay the open invoice", "main") : null}
        {["free", "pro", "enterprise"]
          .filter((other) => other !== plan || (status === "canceled" && other !== "free"))
          .filter((other) => !(other === "free" && status === "canceled"))
          .map((other) => change(other, `Change to ${titled(other)}`))}
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

function Invoices({ visit, orders }: { visit: Visit; orders: readonly Order[] }) {
  return (
    <section>
      <h2>Invoices</h2>
      <Table label="Invoices" head={["Number", "Date", "Amount", "Status"]}>
        {orders.map(({ orderId, invoiceNumber, createdAt, amount, currency, status }) => (
          <tr>
            <th scope="row">
              <a href={visit.link(`/invoices/${encodeURIComponent(orderId)}.pdf`)}>{invoiceNumber}</a>
            </th>
            <td>{createdAt.slice(0, 10)}</td>
            <td class="number">{money(amount, currency)}</td>
            <td>{status}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function titled(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
