import type { Context } from "hono";
import type { components } from "../../../openapi/generated/control-plane-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { Layout, shortTime } from "../layout.js";
import { DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";
import type { Visit } from "../visit.js";

type Clock = components["schemas"]["Clock"];

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

  app.post("/time", async (c) => {
    const visit = c.get("visit");
    const { advance = "", now = "", mode = "" } = c.get("fields");
    const body = Object.fromEntries(
      Object.entries({ advance, now, mode }).filter(([, value]) => value !== ""),
    );
    const reply = await visit.ask("PATCH", "/_emulator/clock", { body });
    if (!reply.isOk)
      return show(
        c,
        refusalOf(reply, (pointer) => pointer.split("/")[1]),
      );
    return c.redirect(visit.link("/time", { done: "moved" }), 303);
  });
}

async function show(c: Context<ConsoleEnvironment>, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const clock = (await visit.ask("GET", "/_emulator/clock")).body as Clock;
  const ahead = await findAhead(visit, clock.now);
  const fields = c.get("fields");
  if (refusal !== undefined) c.status(400);
  return c.html(
    <Layout
      visit={visit}
      title="Time"
      section="/time"
      clock={clock}
      lead="Tokens, keys, trials and periods go by this clock. A manual one ticks a millisecond a request and waits for you; a system one is the machine's."
    >
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal} />
      <div class="panel strip">
        <span class="muted">It is</span>
        <strong class="now">{clock.now}</strong>
        <span class="badge">{clock.mode}</span>
      </div>
      <h2>Jump ahead</h2>
      <div class="buttons">
        {jumps.map(([advance, text]) => (
          <Action action={visit.link("/time")} label={text} fields={{ advance }} />
        ))}
      </div>
      <h2>Next to happen</h2>
      {ahead.length === 0 ? (
        <Empty title="Nothing is due">
          <p>Keys that expire, trials and paid periods show here, with a button that leads to each.</p>
        </Empty>
      ) : (
        <Table label="Next to happen" head={["When", "What", "Of", ""]}>
          {ahead.slice(0, 50).map(({ at, what, of }) => (
            <tr>
              <th scope="row" class="nowrap">
                {shortTime(at)}
              </th>
              <td>{what}</td>
              <td dir="auto">{of}</td>
              <td class="actions">
                <Action
                  action={visit.link("/time")}
                  label="Go there"
                  of={`${what}, ${of}`}
                  fields={{ now: at }}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <h2>Set it</h2>
      <Form action={visit.link("/time")} class="row" label="Set the clock">
        <Field
          label="Time"
          name="now"
          value={fields.now}
          placeholder="2030-06-01T12:00:00Z"
          problem={refusal?.fields.now}
        />
        <Field
          label="And ahead by"
          name="advance"
          value={fields.advance}
          placeholder="P1DT2H"
          problem={refusal?.fields.advance}
        />
        <Choice label="Mode" name="mode" value={clock.mode} options={["manual", "system"]} />
        <button class="main">Set</button>
      </Form>
    </Layout>,
  );
}

/** How many organizations are asked about. */
const mostAsked = 100;

async function findAhead(visit: Visit, now: string): Promise<readonly Ahead[]> {
  const keys = (await visit.ask("GET", "/_emulator/api-keys")).body as components["schemas"]["ApiKeyList"];
  const organizations = (await visit.organizations()).slice(0, mostAsked);
  const subscriptions = await Promise.all(
    organizations.map(async ({ organizationId, name }) => {
      const reply = await visit.ask("GET", `/_emulator/subscriptions/${encodeURIComponent(organizationId)}`);
      return { name, subscription: reply.body as components["schemas"]["SubscriptionState"] };
    }),
  );
  const ofKeys = keys.apiKeys.flatMap(({ name, expiresAt }) =>
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
