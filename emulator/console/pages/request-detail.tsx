import { clauses } from "../../../openapi/clauses/register.js";
import { problemKinds } from "../../../openapi/operations/problems.js";
import { serviceApi } from "../../../openapi/operations/register.js";
import { isControlPath } from "../../request/target.js";
import { Facts, shortTime } from "../components.js";
import { curlCommand } from "../curl-command.js";
import type { ConsoleContext } from "../environment.js";
import { Action } from "../form.js";
import { Link, showPage } from "../page.js";
import type { Schemas } from "../visit.js";

type Entry = Schemas["JournalEntry"];

/**
 * A request from near: both bodies, what happened to it, and what bound its answer.
 *
 * @param mistake why something that was asked for here cannot be
 */
export function showRequest(c: ConsoleContext, entry: Entry, mistake?: string) {
  const visit = c.get("visit");
  const { sequence, operationId, request, response } = entry;
  const command = curlCommand({
    method: request.method,
    url: `${visit.origin}${visit.prefix}${request.path}`,
    body: request.body ?? undefined,
    hasToken: "authorization" in request.headers,
  });
  return showPage(
    c,
    {
      title: `Request ${sequence}`,
      section: "/traffic",
      trail: [["Traffic", visit.link("/traffic")], [String(sequence)]],
      ...(mistake === undefined ? {} : { status: 409 }),
    },
    <>
      {mistake === undefined ? null : (
        <p class="notice bad" role="alert">
          It cannot be sent again. {mistake}
        </p>
      )}
      <p class="key" dir="auto">
        <strong>
          {request.method} {request.path}
        </strong>
      </p>
      <EntryFacts entry={entry} />
      <div class="buttons">
        <button type="button" data-copy="curl">
          Copy as curl
        </button>
        <Action to={`/traffic/${sequence}/again`} label="Send again" />
      </div>
      <div class="columns">
        <Message title="Request" message={request} />
        <Message title="Answer" message={response} />
      </div>
      <details>
        <summary>As curl</summary>
        <pre id="curl" tabindex={0}>
          {command}
        </pre>
      </details>
      <Clauses operationId={operationId} />
    </>,
  );
}

function EntryFacts({ entry }: { entry: Entry }) {
  const { at, operationId, caller, faults, durationMs, request, response } = entry;
  const problem = problemOf(response);
  const nobody = isControlPath(request.path)
    ? "a page of the console, which needs no credential"
    : "none, or a refused credential";
  return (
    <Facts
      facts={[
        [
          "Answered",
          `${response.status === 0 ? "nothing: the connection was dropped" : response.status} after ${durationMs} ms`,
        ],
        ["Error", problem === undefined ? null : <Link to={`/errors/${problem}`}>{problem}</Link>],
        ["At", shortTime(at)],
        ["Operation", operationId ?? "none: nothing is there"],
        ["Caller", caller === null ? nobody : `${caller.id}, for ${caller.organizationId}`],
        [
          "Fault rules",
          faults.length === 0 ? null : (
            <>
              {faults.join(", ")} (<Link to="/faults">the rules</Link>)
            </>
          ),
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
      {bodyCut ? <p class="hint">The beginning of {bodyBytes} bytes.</p> : null}
      <details>
        <summary>
          {entries.length} {entries.length === 1 ? "header" : "headers"}
        </summary>
        <Facts class="facts key" facts={entries} />
      </details>
    </section>
  );
}

/** The kind of error that an answer is. */
function problemOf({ body }: Entry["response"]): string | undefined {
  const [, kind = ""] = /"type":"[^"]*\/problems\/([a-z-]+)"/.exec(body?.slice(0, 200) ?? "") ?? [];
  return Object.hasOwn(problemKinds, kind) ? kind : undefined;
}

/** JSON with line breaks, as long as no digit gets lost by it. */
function readable(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return JSON.stringify(value) === body ? JSON.stringify(value, undefined, 2) : body;
  } catch {
    return body;
  }
}

function Clauses({ operationId }: { operationId: string | null }) {
  if (operationId === null || !Object.hasOwn(serviceApi.operations, operationId)) return null;
  const { clauses: binding } = serviceApi.operations[operationId as keyof typeof serviceApi.operations];
  const says =
    binding.length === 1 ? "clause of the specification binds" : "clauses of the specification bind";
  return (
    <details>
      <summary>
        {binding.length} {says} this operation
      </summary>
      <Facts facts={binding.map((id) => [id, clauses[id].statement])} />
    </details>
  );
}
