import { planTerms } from "../../../openapi/clauses/limits.js";
import { Badge, formatShortTime, DescriptionList } from "../../../openapi/html/components.js";
import { ActionButton, Form } from "../form.js";
import { Link } from "../page.js";
import type { Schemas } from "../page-visit.js";
import { createOrganizationPage } from "./organization-page.js";

/** The subscription of an organization, its usage against the ceilings of the plan, and links to checkout and portal. */
export const billingPage = createOrganizationPage(
  {
    title: "Billing",
    section: "/billing",
    lead: "An organization's plan and usage. Its invoices are in the billing portal.",
  },
  async (visit, { organizationId, plan }, c) => {
    const checkout = c.get("sent")?.reply.body as Schemas["Checkout"] | undefined;
    if (checkout !== undefined)
      return c.redirect(visit.link(`/checkout/${encodeURIComponent(checkout.checkoutId)}`), 303);
    const params = { organizationId };
    const as = organizationId;
    const [subscription, usage, { members }] = await Promise.all([
      visit.read("getSubscription", { params }),
      visit.read("getUsage", { as }),
      visit.read("listMembers", { params, as }),
    ]);
    return (
      <>
        <div class="columns">
          <SubscriptionPanel subscription={subscription} plan={plan} />
          <UsagePanel usage={usage} plan={plan} members={members.length} />
        </div>
      </>
    );
  },
);

interface SubscriptionPanelProps {
  readonly subscription: Schemas["SubscriptionState"];
  /** The current plan. */
  readonly plan: string;
}

function SubscriptionPanel({ subscription, plan: currentPlan }: SubscriptionPanelProps) {
  const { organizationId, subscriptionId, plan, status, currentPeriodEnd, trialEnd, cancelAtPeriodEnd } =
    subscription;
  const upcoming = subscription.upcomingPlans.map(
    (one) => `${one.plan}, from ${formatShortTime(one.startsAt)}`,
  );
  return (
    <section class="panel">
      <h2>Subscription</h2>
      <DescriptionList
        of={[
          ["Current plan", currentPlan],
          [
            "Subscription",
            <>
              {plan} <Badge state={status} /> <span class="muted key">{subscriptionId}</span>
            </>,
          ],
          ["Paid", upcoming.length === 0 ? null : upcoming.join("; ")],
          [cancelAtPeriodEnd ? "Ends" : "Period ends", formatShortTime(currentPeriodEnd)],
          ["Trial ends", trialEnd && formatShortTime(trialEnd)],
        ]}
      />
      <div class="buttons">
        {["pro", "enterprise"]
          .filter((planType) => planType !== currentPlan)
          .map((planType) => (
            <ActionButton
              call={{ operation: "createCheckout", as: organizationId, body: { planType } }}
              label={`Buy ${planType}`}
              kind={planType === "pro" && currentPlan === "free" ? "main" : "quiet"}
            />
          ))}
        <Link to={`/portal/${encodeURIComponent(organizationId)}`} isButton>
          Open the portal
        </Link>
      </div>
      <Form
        call={{ operation: "changeSubscription", params: { organizationId }, done: "saved" }}
        class="row"
        label="Set the status"
        values={{ status }}
        fields={{ status: "Status" }}
        submit="Set"
      />
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
      <DescriptionList
        of={[
          ["Databases", formatUsage(databaseCount, limits?.maxDatabases)],
          ["Storage", formatUsage(totalStorageGb, limits?.maxStorageGb, formatStorage)],
          ["Requests in this period", formatUsage(totalRequests, limits?.maxRequestsPerMonth)],
          ["Members", formatUsage(members, limits?.maxTeamMembers)],
        ]}
      />
      <p class="hint">
        {periodStart.slice(0, 10)} to {periodEnd.slice(0, 10)}, ${totalCost.toFixed(2)} so far
      </p>
    </section>
  );
}

/** Formats the usage of a limit, if there is a limit. */
function formatUsage(used: number, max: number | undefined, format = formatNumber): string {
  return `${format(used)} ${max === undefined ? "(no limit)" : `of ${format(max)}`}`;
}

function formatNumber(figure: number): string {
  return figure.toLocaleString("en-US", { maximumSignificantDigits: 6 });
}

/** Formats an amount of storage in the largest suitable unit: 803 bytes, 1.5 MB. */
function formatStorage(gigabytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  let amount = gigabytes * 1024 ** 3;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${amount.toLocaleString("en-US", { maximumFractionDigits: unit === 0 ? 0 : 2 })} ${units[unit]}`;
}
