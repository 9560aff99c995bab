import { streamSSE } from "hono/streaming";
import { serviceApi } from "../../../openapi/operations/register.js";
import { redacted } from "../../journal/redact.js";
import { consoleResendAgent, consoleAgent } from "../../request/console-agent.js";
import { isControlPath } from "../../request/target.js";
import { Empty } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Field, Form, Option } from "../form.js";
import { errorPage, showPage } from "../page.js";
import type { Schemas, Visit } from "../visit.js";
import { showRequest } from "./request-detail.js";

type Entry = Schemas["JournalEntry"];

/** Which requests are shown; `own` is `yes` where those of the console's own pages are. */
type Filter = Readonly<Record<"operationId" | "status" | "caller" | "own", string>>;

/** How many rows a page shows; the journal may hold more. */
const maxRows = 200;
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
    const entry = await findEntry(c.get("visit"), c.req.param("sequence"));
    if (entry === undefined) return gone(c);
    return showRequest(c, entry);
  });

  app.post("/traffic/:sequence{[0-9]+}/again", async (c) => {
    const visit = c.get("visit");
    const entry = await findEntry(visit, c.req.param("sequence"));
    if (entry === undefined) return gone(c);
    const { method, path, body, bodyCut, headers } = entry.request;
    if (bodyCut || body?.includes(redacted) === true || path.includes(redacted)) {
      const reason = bodyCut
        ? "The journal keeps only the beginning of the body."
        : "The journal keeps no secrets, and this request has one in its body or path.";
      return showRequest(c, entry, reason);
    }
    const token = await credentialOf(visit, entry);
    const type = headers["content-type"];
    await visit.ask(method, path, {
      token,
      agent: consoleResendAgent,
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
  const newest = await journalOf(visit, `?limit=${maxRows}`);
  const some = newest.entries.filter((entry) => fits(entry, filter));
  if (some.length >= enoughRows || newest.entries.length < maxRows) return { ...newest, shown: some };
  const all = await journalOf(visit, "");
  return { ...all, shown: all.entries.filter((entry) => fits(entry, filter)) };
}

function gone(c: ConsoleContext) {
  return errorPage(
    c,
    "No such request",
    "The journal keeps only the newest requests, and this one is not among them.",
  );
}

async function journalOf(visit: Visit, query: string): Promise<Schemas["Journal"]> {
  return (await visit.ask("GET", `/_emulator/journal${query}`)).body as Schemas["Journal"];
}

async function findEntry(visit: Visit, sequence: string): Promise<Entry | undefined> {
  const { entries } = await journalOf(visit, `?since=${Number(sequence) - 1}`);
  return entries.find((entry) => entry.sequence === Number(sequence));
}

/** A credential of the sender: the journal records the caller, but no secrets. */
async function credentialOf(visit: Visit, { caller }: Entry): Promise<string | undefined> {
  if (caller === null) return undefined;
  if (caller.kind === "user") return visit.logIn(caller.id, caller.organizationId);
  const { apiKeys } = (await visit.ask("GET", "/_emulator/api-keys")).body as Schemas["ApiKeyList"];
  return apiKeys.find(({ apiKeyId }) => apiKeyId === caller.id)?.key;
}

function filterOf(c: ConsoleContext): Filter {
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

async function show(c: ConsoleContext): Promise<Response> {
  const visit = c.get("visit");
  const filter = filterOf(c);
  const { entries, shown, dropped, recording } = await newestThatFit(visit, filter);
  const rows = shown.slice(-maxRows).reverse();
  const live = visit.link("/traffic/live", { ...filter, since: entries.at(-1)?.sequence ?? 0 });
  return showPage(
    c,
    {
      title: "Traffic",
      section: "/traffic",
      lead: "Requests to the service and their responses, live, newest first.",
      scripts: ["htmx.js", "htmx-sse.js"],
    },
    <>
      <Form to="/traffic" isSearch label="Filter" values={filter}>
        <Choice
          label="Operation"
          name="operationId"
          options={[["", "all"], ...Object.keys(serviceApi.operations)]}
        />
        <Field label="Status" name="status" placeholder="404 or 4xx" />
        <Field label="Caller" name="caller" placeholder="user or key id" />
        <Option name="own" value="yes">
          include changes made in the console
        </Option>
        <button>Filter</button>
      </Form>
      {recording ? null : (
        <Empty title="Nothing is recorded">
          The emulator was started with <code>--no-journal</code>.
        </Empty>
      )}
      <div class="scroll" role="region" aria-label="Requests" tabindex={0}>
        <table>
          <thead>
            <tr>
              {["No.", "Time", "Request", "Status", "Operation", "Caller", "ms"].map((text) => (
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
        <Empty title={entries.length === 0 ? "No requests yet" : "No request matches"}>
          Send one, and it shows above: <code>curl {`${visit.origin}${visit.prefix}/health`}</code>
        </Empty>
      )}
      <p class="muted">
        {shown.length} of the newest {entries.length} requests match
        {shown.length > rows.length ? `, and ${rows.length} of them are shown` : ""}
        {dropped > 0 ? `; ${dropped} older ones made room` : ""}.
      </p>
      <div class="buttons">
        <a class="button" href={`${visit.prefix}/_emulator/journal?format=har`}>
          Download as HAR
        </a>
        <Action to="/traffic/clear" label="Clear the journal" kind="danger" />
      </div>
    </>,
  );
}

function Row({ visit, entry, arrived = false }: { visit: Visit; entry: Entry; arrived?: boolean }) {
  const { at, sequence, operationId, caller, faults, durationMs, request, response } = entry;
  const { status } = response;
  const kind = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return (
    <tr {...(arrived ? { class: "arrived" } : {})}>
      <td class="number">{sequence}</td>
      <td class="nowrap">
        <time datetime={at}>{at.slice(0, -1).replace("T", " ")}</time>
      </td>
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
