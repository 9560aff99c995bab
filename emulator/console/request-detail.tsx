import { clauses } from "../../openapi/clauses/register.js";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { problemKinds } from "../../openapi/operations/problems.js";
import { service } from "../../openapi/operations/register.js";
import { isControlPath } from "../request/target.js";
import { curlCommand } from "./curl-command.js";
import { Action } from "./form.js";
import { Layout, shortTime } from "./layout.js";
import { DoneNotice } from "./notices.js";
import type { Visit } from "./visit.js";

type Entry = components["schemas"]["JournalEntry"];

interface RequestDetailProps {
  readonly visit: Visit;
  readonly entry: Entry;
  readonly done?: string | undefined;
  /** Why something that was asked for here cannot be. */
  readonly mistake?: string;
}

/** A request from near: both bodies, what happened to it, and what bound its answer. */
export function RequestDetail({ visit, entry, done, mistake }: RequestDetailProps) {
  const { sequence, at, operationId, caller, faults, durationMs, request, response } = entry;
  const command = curlCommand({
    method: request.method,
    url: `${visit.origin}${visit.prefix}${request.path}`,
    body: request.body ?? undefined,
    hasToken: "authorization" in request.headers,
  });
  const problem = problemOf(response);
  return (
    <Layout visit={visit} title={`Request ${sequence}`} section="/traffic">
      <ol class="trail">
        <li>
          <a href={visit.link("/traffic")}>Traffic</a>
        </li>
        <li>{sequence}</li>
      </ol>
      <DoneNotice done={done} />
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
      <dl class="facts">
        <dt>Answered</dt>
        <dd>
          {response.status === 0 ? "nothing: the connection was dropped" : response.status} after {durationMs}{" "}
          ms
        </dd>
        {problem === undefined ? null : (
          <>
            <dt>Error</dt>
            <dd>
              <a href={visit.link(`/errors/${problem}`)}>{problem}</a>
            </dd>
          </>
        )}
        <dt>At</dt>
        <dd>{shortTime(at)}</dd>
        <dt>Operation</dt>
        <dd>{operationId ?? "none: nothing is there"}</dd>
        <dt>Caller</dt>
        <dd>
          {caller !== null
            ? `${caller.id}, for ${caller.organizationId}`
            : isControlPath(request.path)
              ? "a page of the console, which needs no credential"
              : "nobody, or a credential that was refused"}
        </dd>
        {faults.length === 0 ? null : (
          <>
            <dt>Fault rules</dt>
            <dd>
              {faults.join(", ")} (<a href={visit.link("/faults")}>the rules</a>)
            </dd>
          </>
        )}
      </dl>
      <div class="buttons">
        <button type="button" data-copy="curl">
          Copy as curl
        </button>
        <Action action={visit.link(`/traffic/${sequence}/again`)} label="Send again" />
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
    </Layout>
  );
}

function Message({ title, message }: { title: string; message: Entry["request"] | Entry["response"] }) {
  const { headers, body, bodyBytes, bodyCut } = message;
  const count = Object.keys(headers).length;
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
          {count} {count === 1 ? "header" : "headers"}
        </summary>
        <dl class="facts key">
          {Object.entries(headers).map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </>
          ))}
        </dl>
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
  if (operationId === null || !Object.hasOwn(service.operations, operationId)) return null;
  const { clauses: binding } = service.operations[operationId as keyof typeof service.operations];
  return (
    <details>
      <summary>
        {binding.length}{" "}
        {binding.length === 1 ? "clause of the specification binds" : "clauses of the specification bind"}{" "}
        this operation
      </summary>
      <dl class="facts">
        {binding.map((id) => (
          <>
            <dt>{id}</dt>
            <dd>{clauses[id].statement}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}
