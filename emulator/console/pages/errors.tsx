import { gaps } from "../../../openapi/gaps/register.js";
import {
  type ProblemKind,
  problemKindOf,
  problemKinds,
  problemType,
} from "../../../openapi/operations/problems.js";
import type { ConsoleApp } from "../console-app.js";
import { Layout } from "../layout.js";
import { Empty, Table } from "../notices.js";
import { problemHelp } from "../problem-help.js";
import type { Visit } from "../visit.js";

type Answers = Readonly<Record<string, unknown>>;

/** Where the `type` of an error leads: every kind, with its status by the profile in force and what to do about it. */
export function mountErrors(app: ConsoleApp): void {
  app.get("/errors", async (c) => {
    const visit = c.get("visit");
    const answers = await profileOf(visit);
    return c.html(
      <Layout
        visit={visit}
        title="Errors"
        lead="Every kind of error, as the last part of its type says, with the status that this namespace answers."
      >
        <Table label="Kinds of errors" head={["Kind", "Status", "What it says"]}>
          {Object.keys(problemKinds).map((kind) => (
            <tr>
              <th scope="row">
                <a href={visit.link(`/errors/${kind}`)}>{kind}</a>
              </th>
              <td>{statusOf(kind as ProblemKind, answers)}</td>
              <td>{problemKindOf(kind as ProblemKind).title}</td>
            </tr>
          ))}
        </Table>
      </Layout>,
    );
  });

  app.get("/errors/:kind", async (c) => {
    const visit = c.get("visit");
    const kind = c.req.param("kind");
    if (!Object.hasOwn(problemKinds, kind))
      return c.html(
        <Layout visit={visit} title="Errors">
          <Empty title="There is no such kind of error.">
            <p>
              <a href={visit.link("/errors")}>All kinds</a>
            </p>
          </Empty>
        </Layout>,
        404,
      );
    return c.html(
      <Kind
        visit={visit}
        kind={kind as ProblemKind}
        answers={await profileOf(visit)}
        operations={await operationsWith(visit, kind as ProblemKind)}
      />,
    );
  });
}

interface KindProps {
  readonly visit: Visit;
  readonly kind: ProblemKind;
  readonly answers: Answers;
  readonly operations: readonly string[];
}

function Kind({ visit, kind, answers, operations }: KindProps) {
  const { title, status } = problemKindOf(kind);
  return (
    <Layout visit={visit} title={title}>
      <ol class="trail">
        <li>
          <a href={visit.link("/errors")}>Errors</a>
        </li>
        <li>{kind}</li>
      </ol>
      <p>{withCode(problemHelp[kind])}</p>
      <dl class="facts">
        <dt>Type</dt>
        <dd class="key">{problemType(kind)}</dd>
        <dt>Status</dt>
        <dd>{statusOf(kind, answers)}</dd>
        {typeof status === "number" ? null : (
          <>
            <dt>Decided by</dt>
            <dd>
              the profile, at <code>{status.gap}</code>: {gaps[status.gap].question}
            </dd>
          </>
        )}
        {operations.length === 0 ? null : (
          <>
            <dt>Operations</dt>
            <dd>{operations.join(", ")}</dd>
          </>
        )}
      </dl>
    </Layout>
  );
}

async function profileOf(visit: Visit): Promise<Answers> {
  return (await visit.ask("GET", "/_emulator/profile")).body as Answers;
}

/** The status by the profile in force, or why there is none. */
function statusOf(kind: ProblemKind, answers: Answers): string {
  const { status, onlyWith, neverWith } = problemKindOf(kind);
  const isLeftOut =
    (onlyWith !== undefined && answers[onlyWith.gap] !== onlyWith.answer) ||
    (neverWith !== undefined && answers[neverWith.gap] === neverWith.answer);
  if (isLeftOut) return "none: the profile in force has no such error";
  return String(typeof status === "number" ? status : answers[status.gap]);
}

interface Documented {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly "x-problems"?: readonly ProblemKind[] }>>;
}

/** Operations whose contract, by the profile in force, documents an error of this kind. */
async function operationsWith(visit: Visit, kind: ProblemKind): Promise<readonly string[]> {
  const { body } = await visit.ask("GET", "/openapi.json");
  const { paths } = body as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) =>
      Object.values(responses).some((response) => response["x-problems"]?.includes(kind)),
    )
    .map(({ operationId }) => operationId);
}

/** A sentence whose parts between backticks are code. */
function withCode(sentence: string) {
  return sentence.split("`").map((part, at) => (at % 2 === 1 ? <code>{part}</code> : part));
}
