import { parse, stringify } from "lossless-json";
import { clauses } from "../../../openapi/clauses/register.js";
import { problemKinds } from "../../../openapi/operations/problems.js";
import { serviceApi } from "../../../openapi/operations/register.js";
import { formatLongTime, DescriptionList, Prose } from "../../../openapi/html/components.js";
import { indentJson } from "../indent-json.js";
import { redactedText } from "../../journal/redact.js";
import { Link, createPageHandler } from "../page.js";
import { readFaultEffects } from "./faults.js";
import { RejectedRequestError } from "../rejected-request-error.js";
import type { Schemas, PageVisit } from "../page-visit.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { formatCount } from "../../../openapi/text/format-count.js";

type Entry = Schemas["JournalEntry"];

/** A request and its response, with the fault rules that fired and the clauses that apply. */
export const requestDetailPage = createPageHandler(async (c, visit) => {
  const entry = await findEntry(visit, Number(c.req.param("sequence")));
  const { sequence, operationId, request, response } = entry;
  const caller = await findCurlCaller(visit, entry);
  const effects = await readFaultEffects(visit, [entry]);
  return {
    title: `Request ${sequence}`,
    section: "/traffic",
    trail: [["Traffic", visit.link("/traffic")], [String(sequence)]],
    content: (
      <>
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
        </div>
        <div class="columns">
          <Message title="Request" message={request} />
          <Message title="Response" message={response} />
        </div>
        <details>
          <summary>As curl</summary>
          <pre id="curl" tabindex={0}>
            {listOmissions(request).map((omission) => `# ${omission}\n`)}
            {visit.curl({
              ...request,
              body: request.body ?? undefined,
              contentType: request.headers["content-type"],
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
  throw new RejectedRequestError(404, [
    "This request is no longer in the journal, which keeps only the latest requests.",
  ]);
}

/** The caller of a request, for a shell command. */
async function findCurlCaller(visit: PageVisit, { caller, request: { headers } }: Entry) {
  if (!("authorization" in headers)) return undefined;
  if (caller?.kind === "user") return { userId: caller.id, organizationId: caller.organizationId };
  const { apiKeys } = await visit.read("listApiKeys");
  const key = apiKeys.find(({ apiKeyId }) => apiKeyId === caller?.id)?.key;
  return key === undefined ? "unknown" : { key };
}

/** Lists what the journal does not keep of a request, except its credential. */
function listOmissions({ path, body, bodyBytes, bodyCut }: Entry["request"]): readonly string[] {
  return [
    ...(`${path} ${body ?? ""}`.includes(redactedText)
      ? [`Replace ${redactedText}: the journal does not keep credentials.`]
      : []),
    ...(bodyCut
      ? [`The body is not complete: the journal keeps only the beginning of its ${bodyBytes} bytes.`]
      : []),
  ];
}

function EntryFacts({ entry, effects }: { entry: Entry; effects: ReadonlyMap<string, string> }) {
  const { at, operationId, caller, faults, unknownFields, durationMs, response } = entry;
  const problem = findProblemKind(response);
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
        [
          "Caller",
          caller === null
            ? "none, or the credential was rejected"
            : `${caller.id}, for ${caller.organizationId}`,
        ],
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
          {bodyCut ? body : formatBody(body)}
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
function findProblemKind({ body }: Entry["response"]): string | undefined {
  const [, kind = ""] = /"type":"[^"]*\/problems\/([a-z-]+)"/.exec(body?.slice(0, 200) ?? "") ?? [];
  return Object.hasOwn(problemKinds, kind) ? kind : undefined;
}

/** Formats compact JSON with line breaks; returns any other text unchanged. */
function formatBody(body: string): string {
  const value = tryTo(() => parse(body));
  return tryTo(() => stringify(value)) === body ? indentJson(value) : body;
}

function Clauses({ operationId }: { operationId: string | null }) {
  if (operationId === null || !Object.hasOwn(serviceApi.operations, operationId)) return null;
  const { clauses: ids } = serviceApi.operations[operationId as keyof typeof serviceApi.operations];
  return (
    <details>
      <summary>Clauses of the specification that apply to this operation: {ids.length}</summary>
      <DescriptionList of={ids.map((id) => [id, <Prose text={clauses[id].statement} />])} />
    </details>
  );
}
