import { changesAtPeriodEnd } from "../../billing/billing-period.js";
import { EmptyState, formatShortTime, Table } from "../../../openapi/html/components.js";
import { ActionButton, Form } from "../form.js";
import { createPageHandler } from "../page.js";
import type { PageVisit } from "../page-visit.js";

/** An event at a known time. */
interface UpcomingEvent {
  readonly at: string;
  readonly what: string;
  readonly of: string;
}

const durations = [
  ["PT1M", "A minute"],
  ["PT1H", "An hour"],
  ["PT1H1S", "An hour and a second: current access tokens expire"],
  ["P1D", "A day"],
  ["P7D", "7 days: current refresh tokens expire"],
  ["P1M", "A month"],
] as const;

/** The clock of the namespace, and times to move it to. */
export const timePage = createPageHandler(async (_c, visit) => {
  const clock = await visit.read("getClock");
  const events = await listUpcomingEvents(visit, clock.now);
  const change = { operation: "changeClock", done: "moved" } as const;
  return {
    title: "Time",
    section: "/time",
    lead: "This clock determines when tokens and keys expire and when trials and billing periods end. In manual mode, it advances by one millisecond per request; in system mode, it follows the machine's clock.",
    content: (
      <>
        <div class="panel strip">
          <span class="muted">Current time</span>
          <strong class="now">{clock.now}</strong>
          <span class="badge">{clock.mode}</span>
        </div>
        <h2>Advance by</h2>
        <div class="buttons">
          {durations.map(([advance, text]) => (
            <ActionButton call={{ ...change, body: { advance } }} label={text} />
          ))}
        </div>
        <h2>Next events</h2>
        <Table
          label="Next events"
          head={[["Time", "nowrap"], "Event", "For", ["", "actions"]]}
          maxRows={50}
          rows={events.map(({ at, what, of }) => [
            formatShortTime(at),
            what,
            of,
            <ActionButton
              call={{ ...change, body: { now: at } }}
              label="Advance to this time"
              of={`(${what}, ${of})`}
            />,
          ])}
          empty={
            <EmptyState title="No upcoming events">
              This table shows when API keys expire, when paid plans take effect, and when trials and billing
              periods end. Each row has a button that advances the clock to that time.
            </EmptyState>
          }
        />
        <h2>Set the clock</h2>
        <Form
          label="Set the clock"
          call={change}
          values={{ mode: clock.mode }}
          fields={{
            now: { label: "Time", placeholder: "2030-06-01T12:00:00Z" },
            advance: { label: "Then advance by", placeholder: "10m or P1M" },
            mode: "Mode",
          }}
          submit="Set"
        />
      </>
    ),
  };
});

/** Maximum number of organizations whose subscriptions are read. */
const maxOrganizations = 100;

async function listUpcomingEvents(visit: PageVisit, now: string): Promise<readonly UpcomingEvent[]> {
  const { apiKeys } = await visit.read("listApiKeys");
  const organizations = (await visit.organizations()).slice(0, maxOrganizations);
  const ofSubscriptions = await Promise.all(
    organizations.map(async ({ organizationId, name: of }): Promise<readonly UpcomingEvent[]> => {
      const subscription = await visit.read("getSubscription", { params: { organizationId } });
      const { status, trialEnd, currentPeriodEnd, cancelAtPeriodEnd, upcomingPlans } = subscription;
      const upcoming = upcomingPlans.map((one) => ({
        at: one.startsAt,
        what: `${one.plan} plan takes effect`,
        of,
      }));
      if (!changesAtPeriodEnd(subscription)) return upcoming;
      if (status === "trialing" && trialEnd !== null)
        return [...upcoming, { at: trialEnd, what: "trial ends", of }];
      const what = cancelAtPeriodEnd ? "subscription ends" : "period ends and the next period is billed";
      return [...upcoming, { at: currentPeriodEnd, what, of }];
    }),
  );
  const ofKeys = apiKeys.flatMap(({ name, expiresAt }) =>
    expiresAt === null ? [] : [{ at: expiresAt, what: "API key expires", of: name }],
  );
  return [...ofKeys, ...ofSubscriptions.flat()]
    .filter(({ at }) => at > now)
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}
