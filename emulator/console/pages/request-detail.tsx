import { clauses } from "../../../openapi/clauses/register.js";
import { problemKinds } from "../../../openapi/operations/problems.js";
import { serviceApi } from "../../../openapi/operations/register.js";
import { redactedText } from "../../journal/redact.js";
import { consoleResendUserAgent } from "../../request/console-user-agent.js";
import { isControlPath } from "../../request/target.js";
import { formatLongTime, DescriptionList, Prose } from "../../../openapi/html/components.js";
import { Form } from "../form.js";
import { Link, createPageHandler } from "../page.js";
import { readFaultEffects } from "./faults.js";
import { Refusal } from "../refusal.js";
import type { Schemas, PageVisit } from "../page-visit.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { formatCount } from "../../../openapi/text/format-count.js";

type Entry = Schemas["JournalEntry"];

/** A request in detail: both bodies, what happened to it, and the clauses that apply to it. */
export const requestDetailPage = createPageHandler(async (c, visit) => {
  const entry = await findEntry(visit, Number(c.req.param("sequence")));
  const { sequence, operationId, request, response } = entry;
  const isSent = c.req.method === "POST";
  const mistake = isSent ? findHindrance(entry) : undefined;
  if (isSent && mistake === undefined) {
    await sendAgain(visit, entry);
    const { entries } = await visit.read("getJournal", { query: { limit: 1 } });
    return c.redirect(visit.link(`/traffic/${entries[0]?.sequence ?? sequence}`, { done: "sent" }), 303);
  }
  const caller = await findCurlCaller(visit, entry);
  const effects = await readFaultEffects(visit, [entry]);
  return {
    title: `Request ${sequence}`,
    section: "/traffic",
    trail: [["Traffic", visit.link("/traffic")], [String(sequence)]],
    status: mistake === undefined ? 200 : 409,
    content: (
      <>
        {mistake === undefined ? null : (
          <p class="notice bad" role="alert">
            This request cannot be sent again. {mistake}
          </p>
        )}
        <p class="key" dir="auto">
          <strong>
            {request.method} {request.path}
          </strong>
        </p>
        <EntryFacts entry={entry} effects={effects} />
        <div class="buttons">
          <button type="button" data-copy="curl">
            Copy as curl
          </button>
          <Form class="inline">
            <button>Send again</button>
          </Form>
        </div>
        <div class="columns">
          <Message title="Request" message={request} />
          <Message title="Response" message={response} />
        </div>
        <details>
          <summary>As curl</summary>
          <pre id="curl" tabindex={0}>
            {visit.curl({
              ...request,
              body: request.body ?? undefined,
              caller,
            })}
          </pre>
        </details>
        <Clauses operationId={operationId} />
      </>
    ),
  };
});

async function findEntry(visit: PageVisit, sequence: number): Promise<Entry> {
  const { entries } = await visit.read("getJournal", { query: { since: sequence - 1 } });
  const entry = entries.find((one) => one.sequence === sequence);
  if (entry !== undefined) return entry;
  throw new Refusal(404, ["This request is no longer in the journal, which keeps only the latest requests."]);
}

/** Why a request cannot be sent again; undefined if it can. */
function findHindrance({ request: { path, body, bodyCut } }: Entry): string | undefined {
  if (bodyCut) return "The journal has kept only the beginning of the request body.";
  return `${path}${body ?? ""}`.includes(redactedText)
    ? "The request body or path contained a secret, and the journal does not keep secrets."
    : undefined;
}

/** Sends a request with a credential of its caller, which the journal does not keep. */
async function sendAgain(visit: PageVisit, { caller, request: { method, path, body, headers } }: Entry) {
  const token =
    caller?.kind === "user"
      ? await visit.logIn(caller.id, caller.organizationId)
      : await findKey(visit, caller);
  const message = { token, type: headers["content-type"], agent: consoleResendUserAgent };
  await visit.fetch(method, path, { ...message, body: body ?? undefined, isAction: true });
}

async function findKey(visit: PageVisit, caller: Entry["caller"]): Promise<string | undefined> {
  if (caller?.kind !== "apiKey") return undefined;
  const { apiKeys } = await visit.read("listApiKeys");
  return apiKeys.find(({ apiKeyId }) => apiKeyId === caller.id)?.key;
}

/** The caller of a request, for a shell command. */
async function findCurlCaller(visit: PageVisit, { caller, request: { headers } }: Entry) {
  if (!("authorization" in headers)) return undefined;
  if (caller?.kind === "user") return { userId: caller.id, organizationId: caller.organizationId };
  const key = await findKey(visit, caller);
  return key === undefined ? "unknown" : { key };
}

function EntryFacts({ entry, effects }: { entry: Entry; effects: ReadonlyMap<string, string> }) {
  const { at, operationId, caller, faults, unknownFields, durationMs, request, response } = entry;
  const problem = problemOf(response);
  const nobody = isControlPath(request.path)
    ? "none: the control plane needs no credential"
    : "none, or the credential was rejected";
  return (
    <DescriptionList
      of={[
        [
          "Status",
          `${response.status === 0 ? "none: the connection was dropped" : response.status} after ${durationMs} ms`,
        ],
        ["Error", problem === undefined ? null : <Link to={`/errors/${problem}`}>{problem}</Link>],
        ["At", formatLongTime(at)],
        ["Operation", operationId ?? "none: no operation has this path"],
        ["Caller", caller === null ? nobody : `${caller.id}, for ${caller.organizationId}`],
        [
          "Ignored fields",
          unknownFields.length === 0
            ? null
            : `${unknownFields.join(", ")} (not in the contract; with --strict, the emulator rejects them)`,
        ],
        [
          "Fault rules",
          faults.length === 0
            ? null
            : faults.map((faultId) => (
                <div>
                  <Link to={`/faults#${faultId}`}>
                    {effects.get(faultId) ?? "deleted rule"} ({faultId})
                  </Link>
                </div>
              )),
        ],
      ]}
    />
  );
}

function Message({ title, message }: { title: string; message: Entry["request"] | Entry["response"] }) {
  const { headers, body, bodyBytes, bodyCut } = message;
  const entries = Object.entries(headers);
  return (
    <section>
      <h2>{title}</h2>
      {body === null || body === "" ? (
        <p class="muted">No body.</p>
      ) : (
        <pre tabindex={0} dir="auto" aria-label={`Body of the ${title.toLowerCase()}`}>
          {bodyCut ? body : readable(body)}
        </pre>
      )}
      {bodyCut ? <p class="hint">The body has {bodyBytes} bytes, but only its beginning is shown.</p> : null}
      <details>
        <summary>{formatCount(entries.length, "header")}</summary>
        <DescriptionList class="facts key" of={entries} />
      </details>
    </section>
  );
}

/** The kind of error in a response, if any. */
function problemOf({ body }: Entry["response"]): string | undefined {
  const [, kind = ""] = /"type":"[^"]*\/problems\/([a-z-]+)"/.exec(body?.slice(0, 200) ?? "") ?? [];
  return Object.hasOwn(problemKinds, kind) ? kind : undefined;
}

/** Formats JSON with line breaks, unless a number would lose digits. */
function readable(body: string): string {
  const value = tryTo(() => JSON.parse(body) as unknown);
  return JSON.stringify(value) === body ? JSON.stringify(value, undefined, 2) : body;
}

function Clauses({ operationId }: { operationId: string | null }) {
  if (operationId === null || !Object.hasOwn(serviceApi.operations, operationId)) return null;
  const { clauses: binding } = serviceApi.operations[operationId as keyof typeof serviceApi.operations];
  const says =
    binding.length === 1 ? "clause of the specification applies" : "clauses of the specification apply";
  return (
    <details>
      <summary>
        {binding.length} {says} to this operation
      </summary>
      <DescriptionList of={binding.map((id) => [id, <Prose text={clauses[id].statement} />])} />
    </details>
  );
}
