import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { components } from "../../../openapi/generated/control-plane-types.js";
import { service } from "../../../openapi/operations/register.js";
import { redacted } from "../../journal/redact.js";
import { isControlPath } from "../../request/target.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { errorPage } from "../error-page.js";
import { Action, Choice, Field } from "../form.js";
import { Layout } from "../layout.js";
import { DoneNotice, Empty } from "../notices.js";
import { RequestDetail } from "../request-detail.js";
import { againAgent, consoleAgent } from "../../request/console-agent.js";
import type { Visit } from "../visit.js";

type Journal = components["schemas"]["Journal"];
type Entry = components["schemas"]["JournalEntry"];

/** Which requests are shown. */
interface Filter {
  readonly operationId: string;
  readonly status: string;
  readonly caller: string;
  /** `yes` shows the requests of the console's own pages as well. */
  readonly own: string;
}

/** How many rows a page shows; the journal may hold more. */
const mostRows = 200;
/** As many that fit are a page, however many older ones there are. */
const enoughRows = 50;
/** How often a page that is live looks for what is new. */
const lookEveryMs = 250;

/** Requests as they come in, and each of them from near. */
export function mountTraffic(app: ConsoleApp): void {
  app.get("/traffic", (c) => show(c));

  app.get("/traffic/live", (c) => {
    const visit = c.get("visit");
    const filter = filterOf(c);
    let since = Number(c.req.header("last-event-id") ?? c.req.query("since") ?? 0);
    return streamSSE(c, async (stream) => {
      while (!stream.aborted && !stream.closed && c.env.isListening()) {
        const { entries } = await journalOf(visit, `?since=${since}`);
        // the list of what was asked would grow for as long as somebody looks
        visit.asked.length = 0;
        const [shown, newest] = [entries.filter((entry) => fits(entry, filter)), entries.at(-1)];
        if (newest !== undefined) since = newest.sequence;
        if (shown.length > 0) {
          const rows = await Promise.all(
            shown
              .reverse()
              .map(async (entry) => (await (<Row visit={visit} entry={entry} arrived />)).toString()),
          );
          await stream.writeSSE({
            data: rows.join("").replaceAll(/\r\n|\r|\n/g, "&#10;"),
            id: String(since),
          });
        }
        await stream.sleep(lookEveryMs);
      }
    });
  });

  app.post("/traffic/clear", async (c) => {
    const visit = c.get("visit");
    await visit.ask("DELETE", "/_emulator/journal");
    return c.redirect(visit.link("/traffic", { done: "cleared" }), 303);
  });

  app.get("/traffic/:sequence{[0-9]+}", async (c) => {
    const visit = c.get("visit");
    const entry = await findEntry(visit, c.req.param("sequence"));
    if (entry === undefined) return gone(c);
    return c.html(<RequestDetail visit={visit} entry={entry} done={c.req.query("done")} />);
  });

  app.post("/traffic/:sequence{[0-9]+}/again", async (c) => {
    const visit = c.get("visit");
    const entry = await findEntry(visit, c.req.param("sequence"));
    if (entry === undefined) return gone(c);
    const { method, path, body, bodyCut, headers } = entry.request;
    if (bodyCut || body?.includes(redacted) === true || path.includes(redacted)) {
      c.status(409);
      const reason = bodyCut
        ? "The journal holds only the beginning of the body."
        : "The journal keeps no secrets, and this request has one in its body or path.";
      return c.html(<RequestDetail visit={visit} entry={entry} mistake={reason} />);
    }
    const token = await credentialOf(visit, entry);
    const type = headers["content-type"];
    await visit.ask(method, path, {
      token,
      agent: againAgent,
      ...(body === null ? {} : { body }),
      ...(type === undefined ? {} : { type }),
    });
    const { entries } = await journalOf(visit, "?limit=1");
    return c.redirect(
      visit.link(`/traffic/${entries[0]?.sequence ?? entry.sequence}`, { done: "sent" }),
      303,
    );
  });
}

/** Reads as little of the journal as will do: every entry that is read is looked through for secrets. */
async function newestThatFit(visit: Visit, filter: Filter) {
  const newest = await journalOf(visit, `?limit=${mostRows}`);
  const some = newest.entries.filter((entry) => fits(entry, filter));
  if (some.length >= enoughRows || newest.entries.length < mostRows) return { ...newest, shown: some };
  const all = await journalOf(visit, "");
  return { ...all, shown: all.entries.filter((entry) => fits(entry, filter)) };
}

function gone(c: Context<ConsoleEnvironment>): Response | Promise<Response> {
  return errorPage(
    c,
    404,
    "No such request",
    "The journal holds the newest requests, and this one is not among them.",
  );
}

async function journalOf(visit: Visit, query: string): Promise<Journal> {
  return (await visit.ask("GET", `/_emulator/journal${query}`)).body as Journal;
}

async function findEntry(visit: Visit, sequence: string): Promise<Entry | undefined> {
  const { entries } = await journalOf(visit, `?since=${Number(sequence) - 1}`);
  return entries.find((entry) => entry.sequence === Number(sequence));
}

/** A credential of whoever sent a request: the journal knows who it was, and keeps no secrets. */
async function credentialOf(visit: Visit, { caller }: Entry): Promise<string | undefined> {
  if (caller === null) return undefined;
  if (caller.kind === "user") return visit.logIn(caller.id, caller.organizationId);
  const { apiKeys } = (await visit.ask("GET", "/_emulator/api-keys"))
    .body as components["schemas"]["ApiKeyList"];
  return apiKeys.find(({ apiKeyId }) => apiKeyId === caller.id)?.key;
}

function filterOf(c: Context<ConsoleEnvironment>): Filter {
  const { operationId = "", status = "", caller = "", own = "" } = c.req.query();
  return { operationId, status, caller, own };
}

function fits(entry: Entry, { operationId, status, caller, own }: Filter): boolean {
  if (own !== "yes" && entry.request.headers["user-agent"] === consoleAgent) return false;
  if (operationId !== "" && entry.operationId !== operationId) return false;
  if (caller !== "" && entry.caller?.id !== caller.trim()) return false;
  if (status === "") return true;
  const shown = String(entry.response.status);
  // 4xx stands for all that begin with 4
  return status.toLowerCase().endsWith("xx") ? shown.startsWith(status.charAt(0)) : shown === status.trim();
}

async function show(c: Context<ConsoleEnvironment>): Promise<Response> {
  const visit = c.get("visit");
  const filter = filterOf(c);
  const { entries, shown, dropped, recording } = await newestThatFit(visit, filter);
  const rows = shown.slice(-mostRows).reverse();
  const live = visit.link("/traffic/live", { ...filter, since: entries.at(-1)?.sequence ?? 0 });
  return c.html(
    <Layout
      visit={visit}
      title="Traffic"
      section="/traffic"
      lead="Every request to the service and its answer, newest first, as they come in."
      scripts={["htmx.js", "htmx-sse.js"]}
    >
      <DoneNotice done={c.req.query("done")} />
      <form method="get" action={visit.link("/traffic")} class="row" aria-label="Filter">
        <Choice
          label="Operation"
          name="operationId"
          value={filter.operationId}
          options={[["", "all"], ...Object.keys(service.operations)]}
        />
        <Field label="Status" name="status" value={filter.status} placeholder="404 or 4xx" />
        <Field label="Caller" name="caller" value={filter.caller} placeholder="user or key id" />
        <label class="option">
          <input
            type="checkbox"
            name="own"
            value="yes"
            {...(filter.own === "yes" ? { checked: true } : {})}
          />
          with the console's own
        </label>
        <button>Filter</button>
      </form>
      {recording ? null : (
        <Empty title="Nothing is recorded">
          <p>
            The emulator was started with <code>--no-journal</code>.
          </p>
        </Empty>
      )}
      <div class="scroll" role="region" aria-label="Requests" tabindex={0}>
        <table>
          <thead>
            <tr>
              {["No.", "Request", "Status", "Operation", "Caller", "ms"].map((text) => (
                <th scope="col">{text}</th>
              ))}
            </tr>
          </thead>
          <tbody id="requests" hx-sse:connect={live} hx-swap="afterbegin">
            {rows.map((entry) => (
              <Row visit={visit} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > 0 ? null : (
        <Empty title={entries.length === 0 ? "No requests yet" : "No request fits"}>
          <p>
            Send one, and it shows above: <code>curl {`${visit.origin}${visit.prefix}/health`}</code>
          </p>
        </Empty>
      )}
      <p class="muted">
        {shown.length} of the newest {entries.length} requests fit
        {shown.length > rows.length ? `, and ${rows.length} of them are shown` : ""}
        {dropped > 0 ? `; ${dropped} older ones made room` : ""}.
      </p>
      <div class="buttons">
        <a class="button" href={`${visit.prefix}/_emulator/journal?format=har`}>
          Download as HAR
        </a>
        <Action action={visit.link("/traffic/clear")} label="Clear the journal" kind="danger" />
      </div>
    </Layout>,
  );
}

function Row({ visit, entry, arrived = false }: { visit: Visit; entry: Entry; arrived?: boolean }) {
  const { sequence, operationId, caller, faults, durationMs, request, response } = entry;
  const { status } = response;
  const kind = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return (
    <tr {...(arrived ? { class: "arrived" } : {})}>
      <td class="number">{sequence}</td>
      <th scope="row" class="key">
        <a href={visit.link(`/traffic/${sequence}`)} dir="auto">
          {request.method} {request.path.slice(0, 160)}
        </a>{" "}
        {faults.length > 0 ? <span class="badge warn">fault</span> : null}
      </th>
      <td>
        <span class={`status ${kind}`}>{status === 0 ? "dropped" : status}</span>
      </td>
      <td>{operationId ?? <span class="muted">none</span>}</td>
      <td class="key">
        {caller?.id ?? <span class="muted">{isControlPath(request.path) ? "console" : "nobody"}</span>}
      </td>
      <td class="number">{durationMs.toFixed(1)}</td>
    </tr>
  );
}
