import { Empty, shortTime, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Field, Form } from "../form.js";
import { showPage } from "../page.js";
import type { Refusal } from "../refusal.js";
import { filledIn, takeForms } from "../take-forms.js";
import type { Schemas, Visit } from "../visit.js";

/** Something that time will bring about. */
interface Ahead {
  readonly at: string;
  readonly what: string;
  readonly of: string;
}

const jumps = [
  ["PT1M", "A minute"],
  ["PT1H", "An hour"],
  ["PT1H1S", "An hour and a second: access tokens of now expire"],
  ["P1D", "A day"],
  ["P7D", "7 days: refresh tokens of now expire"],
  ["P1M", "A month"],
] as const;

/** The clock of the namespace, and where it may go. */
export function mountTime(app: ConsoleApp): void {
  app.get("/time", (c) => show(c));

  takeForms(app, "/time", show)("/time", "moved", (visit, { advance, now, mode }) =>
    visit.ask("PATCH", "/_emulator/clock", { body: filledIn({ advance, now, mode }) }),
  );
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const clock = (await visit.ask("GET", "/_emulator/clock")).body as Schemas["Clock"];
  const ahead = await findAhead(visit, clock.now);
  return showPage(
    c,
    {
      title: "Time",
      section: "/time",
      lead: "This clock decides when tokens, keys, trials and periods end. In manual mode it ticks one millisecond per request; in system mode it is the machine's clock.",
      refusal,
    },
    <>
      <div class="panel strip">
        <span class="muted">It is</span>
        <strong class="now">{clock.now}</strong>
        <span class="badge">{clock.mode}</span>
      </div>
      <h2>Jump ahead</h2>
      <div class="buttons">
        {jumps.map(([advance, text]) => (
          <Action to="/time" label={text} fields={{ advance }} />
        ))}
      </div>
      <h2>Next to happen</h2>
      <Table
        label="Next to happen"
        head={[["When", "nowrap"], "What", "Of", ["", "actions"]]}
        rows={ahead
          .slice(0, 50)
          .map(({ at, what, of }) => [
            shortTime(at),
            what,
            of,
            <Action to="/time" label="Go there" of={`${what}, ${of}`} fields={{ now: at }} />,
          ])}
        empty={
          <Empty title="Nothing is due">
            Expiring keys, trials and paid periods appear here, each with a button to move the clock to it.
          </Empty>
        }
      />
      <h2>Set it</h2>
      <Form to="/time" class="row" label="Set the clock" values={{ mode: clock.mode }}>
        <Field label="Time" name="now" placeholder="2030-06-01T12:00:00Z" />
        <Field label="And ahead by" name="advance" placeholder="P1DT2H" />
        <Choice label="Mode" name="mode" options={["manual", "system"]} />
        <button class="main">Set</button>
      </Form>
    </>,
  );
}

/** How many organizations are asked about. */
const maxAsked = 100;

async function findAhead(visit: Visit, now: string): Promise<readonly Ahead[]> {
  const { apiKeys } = (await visit.ask("GET", "/_emulator/api-keys")).body as Schemas["ApiKeyList"];
  const organizations = (await visit.organizations()).slice(0, maxAsked);
  const subscriptions = await Promise.all(
    organizations.map(async ({ organizationId, name }) => {
      const reply = await visit.ask("GET", `/_emulator/subscriptions/${encodeURIComponent(organizationId)}`);
      return { name, subscription: reply.body as Schemas["SubscriptionState"] };
    }),
  );
  const ofKeys = apiKeys.flatMap(({ name, expiresAt }) =>
    expiresAt === null ? [] : [{ at: expiresAt, what: "API key expires", of: name }],
  );
  const ofSubscriptions = subscriptions.flatMap(({ name, subscription }) => {
    const { status, plan, trialEnd, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
    // the free plan's months end without anything happening
    if (status === "canceled" || (plan === "free" && !cancelAtPeriodEnd)) return [];
    if (status === "trialing" && trialEnd !== null) return [{ at: trialEnd, what: "trial ends", of: name }];
    const what = cancelAtPeriodEnd ? "subscription ends" : "period ends, the next one is charged";
    return [{ at: currentPeriodEnd, what, of: name }];
  });
  return [...ofKeys, ...ofSubscriptions]
    .filter(({ at }) => at > now)
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}
