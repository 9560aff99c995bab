import { gaps } from "../../../openapi/gaps/register.js";
import {
  type ProblemKind,
  getProblemDefinition,
  problemKinds,
  getProblemType,
} from "../../../openapi/operations/problems.js";
import { Facts, Table } from "../components.js";
import type { ConsoleApp } from "../environment.js";
import { errorPage, Link, showPage } from "../page.js";
import type { Visit } from "../visit.js";
import { problemHelp } from "./problem-help.js";

type Answers = Readonly<Record<string, unknown>>;

/** Where the `type` of an error leads: every kind, with its status by the profile in force and what to do about it. */
export function mountErrors(app: ConsoleApp): void {
  app.get("/errors", async (c) => {
    const answers = await profileOf(c.get("visit"));
    return showPage(
      c,
      {
        title: "Errors",
        lead: "Every kind of error, named like the last part of its type, with its status in this namespace.",
      },
      <Table
        label="Kinds of errors"
        head={["Kind", "Status", "What it says"]}
        rows={(Object.keys(problemKinds) as ProblemKind[]).map((kind) => [
          <Link to={`/errors/${kind}`}>{kind}</Link>,
          statusOf(kind, answers),
          getProblemDefinition(kind).title,
        ])}
      />,
    );
  });

  app.get("/errors/:kind", async (c) => {
    const visit = c.get("visit");
    const kind = c.req.param("kind") as ProblemKind;
    if (!Object.hasOwn(problemKinds, kind))
      return errorPage(c, "Errors", "There is no such kind of error. The page of errors lists all of them.");
    const { title, status } = getProblemDefinition(kind);
    const answers = await profileOf(visit);
    const operations = await operationsWith(visit, kind);
    return showPage(
      c,
      { title, trail: [["Errors", visit.link("/errors")], [kind]] },
      <>
        <p>{withCode(problemHelp[kind])}</p>
        <Facts
          facts={[
            ["Type", <span class="key">{getProblemType(kind)}</span>],
            ["Status", statusOf(kind, answers)],
            [
              "Decided by",
              typeof status === "number" ? null : (
                <>
                  the profile, at <code>{status.gap}</code>: {gaps[status.gap].question}
                </>
              ),
            ],
            ["Operations", operations.length === 0 ? null : operations.join(", ")],
          ]}
        />
      </>,
    );
  });
}

async function profileOf(visit: Visit): Promise<Answers> {
  return (await visit.ask("GET", "/_emulator/profile")).body as Answers;
}

/** The status by the profile in force, or why there is none. */
function statusOf(kind: ProblemKind, answers: Answers): string {
  const { status, onlyWith, neverWith } = getProblemDefinition(kind);
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
