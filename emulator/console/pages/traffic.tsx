import type { Child } from "hono/jsx";
import { type SSEStreamingApi, streamSSE } from "hono/streaming";
import { operationIds } from "../../../openapi/operations/register.js";
import { EmptyState, formatShortTime, Table, TableRow } from "../../../openapi/html/components.js";
import { formatCount } from "../../../openapi/text/format-count.js";
import type { ConsoleContext } from "../environment.js";
import { ActionButton, Form } from "../form.js";
import { createPageHandler } from "../page.js";
import { consoleUserAgent, type Schemas, type PageVisit } from "../page-visit.js";
import { readFaultEffects } from "./faults.js";

type Entry = Schemas["JournalEntry"];

/** Which requests are shown; `own` is `true` to include requests made by the console. */
type Filter = Readonly<Record<"operationId" | "status" | "caller" | "own", string>>;

/** Maximum number of rows on a page; the journal may have more. */
const maxRows = 200;
/** If this many of the newest entries match, older entries are not read. */
const sufficientRows = 50;
const pollIntervalMs = 250;
/** A live page regularly gets a comment, because sending fails if the reader has gone. */
const pollsPerComment = 40;

const head = [
  ["Request", "key"],
  "Status",
  "Operation",
  ["Caller", "key"],
  ["ms", "number"],
  ["Time", "nowrap"],
] as const;

/** The requests, updated live. */
export const trafficPage = createPageHandler(async (_c, visit) => {
  const filter = readFilter(visit);
  const { entries, matching, dropped, recording } = await readMatchingEntries(visit, filter);
  const rows = matching.slice(-maxRows).reverse();
  const effects = await readFaultEffects(visit, rows);
  const live = visit.link("/traffic/live", { ...filter, since: entries.at(-1)?.sequence ?? 0 });
  return {
    title: "Traffic",
    section: "/traffic",
    lead: "Requests to the service and their responses, newest first. New requests appear immediately.",
    scripts: ["htmx.js", "htmx-sse.js"],
    content: (
      <>
        <Form
          search="/traffic"
          label="Filter"
          values={filter}
          fields={{
            operationId: { label: "Operation", options: [["", "all"], ...operationIds] },
            status: { label: "Status", placeholder: "404 or 4xx" },
            caller: { label: "Caller", placeholder: "user or key id" },
            own: { label: "Include requests from the console", type: "checkbox" },
          }}
          submit="Filter"
        />
        {recording ? null : (
          <EmptyState title="Requests are not recorded">
            The emulator was started with <code>--no-journal</code>.
          </EmptyState>
        )}
        <Table
          label="Requests"
          head={head}
          body={{ id: "requests", "hx-sse:connect": live, "hx-swap": "afterbegin" }}
          rows={rows.map((entry) => listCells(visit, entry, effects))}
        />
        {rows.length > 0 ? null : (
          <EmptyState title={entries.length === 0 ? "No requests yet" : "No requests match"}>
            Send a request, and it will appear above:{" "}
            <code>curl {`${visit.origin}${visit.prefix}/health`}</code>
          </EmptyState>
        )}
        {entries.length === 0 ? null : (
          <p class="muted">
            When this page was loaded, {matching.length} of the newest{" "}
            {formatCount(entries.length, "request")} matched
            {matching.length > rows.length ? `, and ${rows.length} of them were shown` : ""}
            {dropped > 0
              ? `; ${dropped} older ${dropped === 1 ? "request was" : "requests were"} no longer in the journal`
              : ""}
            .
          </p>
        )}
        <div class="buttons">
          <a class="button" href={`${visit.prefix}/_emulator/journal?format=har`}>
            Download as HAR
          </a>
          <ActionButton
            call={{ operation: "clearJournal", done: "cleared" }}
            label="Clear the journal"
            kind="danger"
          />
        </div>
      </>
    ),
  };
});

/** Streams the rows of new requests as events. */
export function streamTraffic(c: ConsoleContext) {
  // The body of a stream would never be read.
  if (c.req.method === "HEAD") return c.body(null, 200, { "Content-Type": "text/event-stream" });
  const { namespaces, target } = c.env;
  const namespace = namespaces.get(target.namespace);
  const visit = c.get("visit");
  const filter = readFilter(visit);
  const given = Number(c.req.header("last-event-id") ?? visit.query.since ?? 0);
  let since = Number.isSafeInteger(given) && given >= 0 ? given : 0;
  const sendNewRows = async (stream: SSEStreamingApi) => {
    const { entries } = await visit.read("getJournal", { query: { since } });
    const effects = await readFaultEffects(visit, entries);
    // The page is open for a long time, and never lists its requests.
    visit.sentRequests.length = 0;
    since = entries.at(-1)?.sequence ?? since;
    const matching = entries.filter((entry) => matchesFilter(entry, filter)).reverse();
    const rows = await Promise.all(
      matching.map(async (entry) =>
        (
          await (<TableRow head={head} cells={listCells(visit, entry, effects)} class="arrived" />)
        ).toString(),
      ),
    );
    const { now } = await visit.clock();
    const clock = `<hx-partial hx-target="#now" hx-swap="innerHTML">${formatShortTime(now)}</hx-partial>`;
    const data = [...rows, clock].join("").replaceAll(/\r\n|\r|\n/g, "&#10;");
    await stream.writeSSE({ data, id: String(since) });
  };
  const poll = async (stream: SSEStreamingApi) => {
    const isOpen = () => !stream.aborted && !stream.closed && c.env.isListening();
    for (let polls = 1; isOpen() && namespaces.peek(target.namespace) === namespace; polls += 1) {
      const { newest } = namespace.journal;
      // A reset restarts the sequence numbers.
      if (newest < since) since = 0;
      // Reading restarts the idle timer of the namespace, as the new requests did.
      if (newest > since) await sendNewRows(stream);
      if (polls % pollsPerComment === 0) await stream.write(":\n\n");
      await stream.sleep(pollIntervalMs);
    }
  };
  // Ignores errors, which mean that the reader or the namespace no longer exists.
  return streamSSE(c, poll, () => Promise.resolve());
}

/** Reads no more of the journal than necessary, because every entry is searched for secrets. */
async function readMatchingEntries(visit: PageVisit, filter: Filter) {
  const select = (journal: Schemas["Journal"]) => ({
    ...journal,
    matching: journal.entries.filter((entry) => matchesFilter(entry, filter)),
  });
  const newest = select(await visit.read("getJournal", { query: { limit: maxRows } }));
  const isSufficient = newest.matching.length >= sufficientRows || newest.entries.length < maxRows;
  return isSufficient ? newest : select(await visit.read("getJournal"));
}

function readFilter({ query }: PageVisit): Filter {
  const { operationId = "", status = "", caller = "", own = "" } = query;
  return { operationId, status, caller, own };
}

function matchesFilter(entry: Entry, { operationId, status, caller, own }: Filter): boolean {
  if (own !== "true" && entry.request.headers["user-agent"] === consoleUserAgent) return false;
  if (operationId !== "" && entry.operationId !== operationId) return false;
  if (caller !== "" && entry.caller?.id !== caller.trim()) return false;
  if (status === "") return true;
  const actual = String(entry.response.status);
  // 4xx matches every status that starts with 4.
  return status.toLowerCase().endsWith("xx") ? actual.startsWith(status.charAt(0)) : actual === status.trim();
}

type FaultEffects = Awaited<ReturnType<typeof readFaultEffects>>;

/** The cells of the row of a request. */
function listCells(visit: PageVisit, entry: Entry, effects: FaultEffects): readonly Child[] {
  const { at, sequence, operationId, caller, faults, durationMs, request, response } = entry;
  const { status } = response;
  const kind = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return [
    <>
      <a href={visit.link(`/traffic/${sequence}`)} dir="auto">
        {request.method} {request.path.slice(0, 160)}
      </a>{" "}
      {faults.map((faultId) => (
        <span class="badge warn">{`fault: ${effects.get(faultId) ?? "deleted rule"}`}</span>
      ))}
    </>,
    <span class={`status ${kind}`}>{status === 0 ? "dropped" : status}</span>,
    operationId ?? <span class="muted">none</span>,
    caller?.id ?? <span class="muted">nobody</span>,
    durationMs.toFixed(1),
    <time datetime={at}>{at.slice(0, -1).replace("T", " ")}</time>,
  ];
}
