import type { Context } from "hono";
import { planNumbers } from "../../../openapi/clauses/limits.js";
import type { components as Control } from "../../../openapi/generated/control-plane-types.js";
import type { components as Service } from "../../../openapi/generated/service-types.js";
import { subscriptionStatuses } from "../../../openapi/schemas/billing.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { Layout, shortTime } from "../layout.js";
import { DoneNotice, Empty, RefusalNotice } from "../notices.js";
import { OrganizationChoice } from "../organization-choice.js";
import { UsagePlot } from "../usage-plot.js";
import type { Visit } from "../visit.js";

type Subscription = Control["schemas"]["SubscriptionState"];
type Usage = Service["schemas"]["Usage"];

/** Subscriptions, usage against the ceilings of the plan, and the ways to checkout and portal. */
export function mountBilling(app: ConsoleApp): void {
  app.get("/billing", (c) => show(c));

  app.post("/billing/checkout", async (c) => {
    const visit = c.get("visit");
    const { organizationId = "", planType = "" } = c.get("fields");
    const token = await visit.session(organizationId);
    const reply = await visit.ask("POST", "/api/v1/payment/checkout", { token, body: { planType } });
    if (!reply.isOk)
      return show(
        c,
        refusalOf(reply, () => undefined),
      );
    const { checkoutId } = reply.body as Service["schemas"]["Checkout"];
    return c.redirect(visit.link(`/checkout/${encodeURIComponent(checkoutId)}`), 303);
  });

  app.post("/billing/status", async (c) => {
    const visit = c.get("visit");
    const { organizationId = "", status = "" } = c.get("fields");
    const path = `/_emulator/subscriptions/${encodeURIComponent(organizationId)}`;
    const reply = await visit.ask("PATCH", path, { body: { status } });
    if (!reply.isOk)
      return show(
        c,
        refusalOf(reply, () => undefined),
      );
    return c.redirect(visit.link("/billing", { organization: organizationId, done: "saved" }), 303);
  });

  app.post("/billing/return-addresses", async (c) => {
    const visit = c.get("visit");
    const { organizationId, successUrl = "", cancelUrl = "", portalReturnUrl = "" } = c.get("fields");
    const body = Object.fromEntries(
      Object.entries({ successUrl, cancelUrl, portalReturnUrl }).filter(([, address]) => address !== ""),
    );
    const reply = await visit.ask("PUT", "/_emulator/return-addresses", { body });
    if (!reply.isOk)
      return show(
        c,
        refusalOf(reply, (pointer) => pointer.split("/")[1]),
      );
    return c.redirect(visit.link("/billing", { organization: organizationId, done: "saved" }), 303);
  });
}

async function show(c: Context<ConsoleEnvironment>, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const organizations = await visit.organizations();
  const asked = c.get("fields").organizationId ?? c.req.query("organization");
  const chosen =
    organizations.find(({ organizationId }) => organizationId === asked) ??
    organizations.find(({ isPersonal }) => !isPersonal) ??
    organizations[0];
  if (chosen === undefined)
    return c.html(
      <Layout visit={visit} title="Billing" section="/billing">
        <Empty title="There is no organization yet">
          <p>
            Every organization has a subscription. <a href={visit.link("/people")}>Make a user</a>, and there
            is one.
          </p>
        </Empty>
      </Layout>,
    );
  const { organizationId } = chosen;
  const token = await visit.session(organizationId);
  const [subscription, usage, addresses, members] = await Promise.all([
    visit.ask("GET", `/_emulator/subscriptions/${encodeURIComponent(organizationId)}`),
    visit.ask("GET", "/api/v1/payment/usage", { token }),
    visit.ask("GET", "/_emulator/return-addresses"),
    visit.ask("GET", `/api/v1/organizations/${encodeURIComponent(organizationId)}/members`, { token }),
  ]);
  if (refusal !== undefined) c.status(400);
  const count = members.isOk ? (members.body as Service["schemas"]["MemberList"]).members.length : 0;
  return c.html(
    <Layout
      visit={visit}
      title="Billing"
      section="/billing"
      lead="What an organization pays for, and what it uses of it."
    >
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal} />
      <OrganizationChoice
        visit={visit}
        action={visit.link("/billing")}
        organizations={organizations}
        chosen={organizationId}
      />
      <div class="columns">
        <SubscriptionPanel
          visit={visit}
          subscription={subscription.body as Subscription}
          plan={chosen.plan}
        />
        {usage.isOk ? (
          <UsagePanel usage={usage.body as Usage} plan={chosen.plan} members={count} />
        ) : (
          <RefusalNotice refusal={refusalOf(usage, () => undefined)} />
        )}
      </div>
      <ReturnAddressForm
        visit={visit}
        organizationId={organizationId}
        addresses={addresses.body as Control["schemas"]["ReturnAddresses"]}
        sent={refusal === undefined ? {} : c.get("fields")}
        refusal={refusal}
      />
    </Layout>,
  );
}

function SubscriptionPanel({
  visit,
  subscription,
  plan: inForce,
}: {
  visit: Visit;
  subscription: Subscription;
  plan: string;
}) {
  const { organizationId, subscriptionId, plan, status, currentPeriodEnd, trialEnd, cancelAtPeriodEnd } =
    subscription;
  return (
    <section class="panel">
      <h2>Subscription</h2>
      <dl class="facts">
        <dt>Plan in force</dt>
        <dd>{inForce}</dd>
        <dt>Subscription</dt>
        <dd>
          {plan} <span class={`badge ${status}`}>{status.replace("_", " ")}</span>{" "}
          <span class="muted key">{subscriptionId}</span>
        </dd>
        <dt>{cancelAtPeriodEnd ? "Ends" : "Period until"}</dt>
        <dd>{shortTime(currentPeriodEnd)}</dd>
        {trialEnd === null ? null : (
          <>
            <dt>Trial until</dt>
            <dd>{shortTime(trialEnd)}</dd>
          </>
        )}
      </dl>
      <div class="buttons">
        {["pro", "enterprise"].map((planType) => (
          <Action
            action={visit.link("/billing/checkout")}
            label={`Buy ${planType}`}
            fields={{ organizationId, planType }}
            kind={planType === "pro" && inForce === "free" ? "main" : "quiet"}
          />
        ))}
        <a class="button" href={visit.link(`/portal/${encodeURIComponent(organizationId)}`)}>
          Open the portal
        </a>
      </div>
      <Form action={visit.link("/billing/status")} class="row" label="Set the status">
        <input type="hidden" name="organizationId" value={organizationId} />
        <Choice label="Status" name="status" value={status} options={subscriptionStatuses} />
        <button>Set</button>
      </Form>
    </section>
  );
}

function UsagePanel({
  usage,
  plan,
  members,
}: {
  usage: Usage;
  plan: keyof typeof planNumbers;
  members: number;
}) {
  const { databaseCount, totalStorageGb, totalRequests, totalCost, periodStart, periodEnd } = usage;
  const { limits } = planNumbers[plan];
  return (
    <section class="panel">
      <h2>Usage</h2>
      <dl class="usage">
        <UsagePlot name="Databases" used={databaseCount} most={limits?.maxDatabases} />
        <UsagePlot name="Storage, GB" used={totalStorageGb} most={limits?.maxStorageGb} />
        <UsagePlot name="Requests this period" used={totalRequests} most={limits?.maxRequestsPerMonth} />
        <UsagePlot name="Members" used={members} most={limits?.maxTeamMembers} />
      </dl>
      <p class="hint">
        {periodStart.slice(0, 10)} to {periodEnd.slice(0, 10)}, ${totalCost.toFixed(2)} so far
      </p>
    </section>
  );
}

interface ReturnAddressFormProps {
  readonly visit: Visit;
  readonly organizationId: string;
  readonly addresses: Control["schemas"]["ReturnAddresses"];
  readonly sent: Readonly<Partial<Record<string, string>>>;
  readonly refusal: Refusal | undefined;
}

function ReturnAddressForm({ visit, organizationId, addresses, sent, refusal }: ReturnAddressFormProps) {
  const field = (name: keyof typeof addresses, label: string, hint?: string) => (
    <Field
      label={label}
      name={name}
      value={sent[name] ?? addresses[name] ?? ""}
      placeholder="http://localhost:3000/…"
      problem={refusal?.fields[name]}
      {...(hint === undefined ? {} : { hint })}
    />
  );
  return (
    <section>
      <h2>Where checkout and portal lead back to</h2>
      <p>Left empty, they lead to the page that the visitor came from.</p>
      <Form action={visit.link("/billing/return-addresses")} class="stack" label="Return addresses">
        <input type="hidden" name="organizationId" value={organizationId} />
        {field("successUrl", "After paying", "{checkoutId} stands for the id of the checkout.")}
        {field("cancelUrl", "After giving up")}
        {field("portalReturnUrl", "Back from the portal")}
        <div class="buttons">
          <button class="main">Save</button>
        </div>
      </Form>
    </section>
  );
}
