import { planTerms } from "../../../openapi/clauses/limits.js";
import { subscriptionStatuses } from "../../../openapi/schemas/billing.js";
import { Facts, shortTime } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Field, Form } from "../form.js";
import { Link, RefusalNotice } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import { filledIn, pathOf, takeForms } from "../take-forms.js";
import type { Schemas } from "../visit.js";
import { showOrganizationPage } from "./organization-page.js";

/** Subscriptions, usage against the ceilings of the plan, and the ways to checkout and portal. */
export function mountBilling(app: ConsoleApp): void {
  app.get("/billing", (c) => show(c));

  app.post("/billing/checkout", async (c) => {
    const visit = c.get("visit");
    const { organizationId = "", planType } = c.get("fields");
    const reply = await visit.askAs(organizationId, "POST", "/api/v1/payment/checkout", { planType });
    if (!reply.isOk) return show(c, refusalOf(reply));
    return c.redirect(visit.link(pathOf`/checkout/${(reply.body as Schemas["Checkout"]).checkoutId}`), 303);
  });
  const form = takeForms(app, "/billing", show);
  form("/billing/status", "saved", (visit, { organizationId, status }) =>
    visit.ask("PATCH", pathOf`/_emulator/subscriptions/${organizationId}`, { body: { status } }),
  );
  form("/billing/return-addresses", "saved", (visit, { successUrl, cancelUrl, portalReturnUrl }) =>
    visit.ask("PUT", "/_emulator/return-addresses", {
      body: filledIn({ successUrl, cancelUrl, portalReturnUrl }),
    }),
  );
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const chosen = await visit.organization(c.get("fields").organizationId ?? c.req.query("organization"));
  const options = {
    title: "Billing",
    section: "/billing",
    lead: "The plan of an organization, its usage, and its invoices.",
    nobody: "Every organization has a subscription.",
    refusal,
    chosen,
  } as const;
  if (chosen === undefined) return showOrganizationPage(c, options, null);
  const { organizationId, plan } = chosen;
  const id = encodeURIComponent(organizationId);
  // two askers at the same time would log in twice
  await visit.session(organizationId);
  const [subscription, usage, addresses, members] = await Promise.all([
    visit.ask("GET", `/_emulator/subscriptions/${id}`),
    visit.askAs(organizationId, "GET", "/api/v1/payment/usage"),
    visit.ask("GET", "/_emulator/return-addresses"),
    visit.askAs(organizationId, "GET", `/api/v1/organizations/${id}/members`),
  ]);
  const count = members.isOk ? (members.body as Schemas["MemberList"]).members.length : 0;
  return showOrganizationPage(
    c,
    options,
    <>
      <div class="columns">
        <SubscriptionPanel subscription={subscription.body as Schemas["SubscriptionState"]} plan={plan} />
        {usage.isOk ? (
          <UsagePanel usage={usage.body as Schemas["Usage"]} plan={plan} members={count} />
        ) : (
          <RefusalNotice refusal={refusalOf(usage)} />
        )}
      </div>
      <ReturnAddresses
        organizationId={organizationId}
        addresses={addresses.body as Schemas["ReturnAddresses"]}
      />
    </>,
  );
}

interface SubscriptionPanelProps {
  readonly subscription: Schemas["SubscriptionState"];
  /** The plan in force. */
  readonly plan: string;
}

function SubscriptionPanel({ subscription, plan: inForce }: SubscriptionPanelProps) {
  const { organizationId, subscriptionId, plan, status, currentPeriodEnd, trialEnd, cancelAtPeriodEnd } =
    subscription;
  return (
    <section class="panel">
      <h2>Subscription</h2>
      <Facts
        facts={[
          ["Plan in force", inForce],
          [
            "Subscription",
            <>
              {plan} <span class={`badge ${status}`}>{status.replace("_", " ")}</span>{" "}
              <span class="muted key">{subscriptionId}</span>
            </>,
          ],
          [cancelAtPeriodEnd ? "Ends" : "Period until", shortTime(currentPeriodEnd)],
          ["Trial until", trialEnd === null ? null : shortTime(trialEnd)],
        ]}
      />
      <div class="buttons">
        {["pro", "enterprise"].map((planType) => (
          <Action
            to="/billing/checkout"
            label={`Buy ${planType}`}
            fields={{ organizationId, planType }}
            kind={planType === "pro" && inForce === "free" ? "main" : "quiet"}
          />
        ))}
        <Link to={`/portal/${encodeURIComponent(organizationId)}`} isButton>
          Open the portal
        </Link>
      </div>
      <Form
        to="/billing/status"
        class="row"
        label="Set the status"
        hidden={{ organizationId }}
        values={{ status }}
      >
        <Choice label="Status" name="status" options={subscriptionStatuses} />
        <button>Set</button>
      </Form>
    </section>
  );
}

interface UsagePanelProps {
  readonly usage: Schemas["Usage"];
  readonly plan: keyof typeof planTerms;
  readonly members: number;
}

function UsagePanel({ usage, plan, members }: UsagePanelProps) {
  const { databaseCount, totalStorageGb, totalRequests, totalCost, periodStart, periodEnd } = usage;
  const { limits } = planTerms[plan];
  return (
    <section class="panel">
      <h2>Usage</h2>
      <dl class="usage">
        <UsageBar name="Databases" used={databaseCount} max={limits?.maxDatabases} />
        <UsageBar name="Storage, GB" used={totalStorageGb} max={limits?.maxStorageGb} />
        <UsageBar name="Requests this period" used={totalRequests} max={limits?.maxRequestsPerMonth} />
        <UsageBar name="Members" used={members} max={limits?.maxTeamMembers} />
      </dl>
      <p class="hint">
        {periodStart.slice(0, 10)} to {periodEnd.slice(0, 10)}, ${totalCost.toFixed(2)} so far
      </p>
    </section>
  );
}

/** How much of a ceiling is used, as a line in a list; any number is allowed without a maximum. */
function UsageBar({ name, used, max }: { name: string; used: number; max: number | undefined }) {
  const share = max === undefined || max === 0 ? 0 : used / max;
  const level = share > 1 ? "over" : share >= 0.8 ? "near" : "";
  const shown = (figure: number) => figure.toLocaleString("en-US", { maximumSignificantDigits: 6 });
  return (
    <div>
      <dt>
        <span>{name}</span>
        <span>
          {shown(used)} of {max === undefined ? "any number" : shown(max)}
        </span>
      </dt>
      <dd>
        <svg
          class="plot"
          viewBox="0 0 100 10"
          preserveAspectRatio="none"
          role="img"
          aria-label={max === undefined ? "no ceiling" : `${Math.round(share * 100)} percent used`}
        >
          <rect
            class={`used ${level}`}
            width={used > 0 ? Math.max(Math.min(share, 1) * 100, 0.6) : 0}
            height="10"
          />
        </svg>
      </dd>
    </div>
  );
}

interface ReturnAddressesProps {
  readonly organizationId: string;
  readonly addresses: Schemas["ReturnAddresses"];
}

function ReturnAddresses({ organizationId, addresses }: ReturnAddressesProps) {
  const { successUrl, cancelUrl, portalReturnUrl } = addresses;
  const placeholder = "http://localhost:3000/…";
  return (
    <section>
      <h2>Where checkout and portal lead back to</h2>
      <p>Left empty, they lead to the page that the visitor came from.</p>
      <Form
        to="/billing/return-addresses"
        label="Return addresses"
        hidden={{ organizationId }}
        values={{
          successUrl: successUrl ?? "",
          cancelUrl: cancelUrl ?? "",
          portalReturnUrl: portalReturnUrl ?? "",
        }}
        submit="Save"
      >
        <Field
          label="After paying"
          name="successUrl"
          placeholder={placeholder}
          hint="{checkoutId} is replaced by the id of the checkout."
        />
        <Field label="After giving up" name="cancelUrl" placeholder={placeholder} />
        <Field label="Back from the portal" name="portalReturnUrl" placeholder={placeholder} />
      </Form>
    </section>
  );
}
