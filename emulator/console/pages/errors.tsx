import { canProblemOccur, listProblemKinds } from "../../../openapi/document/document.js";
import { getProblemStatus } from "../../../openapi/document/problem-responses.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { gaps } from "../../../openapi/gaps/register.js";
import {
  type ProblemKind,
  getProblemDefinition,
  getProblemType,
  problemKinds,
} from "../../../openapi/operations/problems.js";
import { operationIds, serviceApi } from "../../../openapi/operations/register.js";
import { Prose, Table, DescriptionList } from "../../../openapi/html/components.js";
import { Link, createPageHandler } from "../page.js";
import { RejectedRequestError } from "../rejected-request-error.js";
import { problemHelp } from "./problem-help.js";

/** Every kind of error, with its status under the current profile. */
export const errorsPage = createPageHandler((_c, { profile }) => ({
  title: "Errors",
  lead: "All kinds of errors, with their HTTP status in this namespace. The kind is the last segment of the URL in the error's type field.",
  content: (
    <Table
      label="Kinds of errors"
      head={["Kind", "Status", "Title"]}
      rows={(Object.keys(problemKinds) as ProblemKind[]).map((kind) => [
        <Link to={`/errors/${kind}`}>{kind}</Link>,
        describeStatus(kind, profile),
        getProblemDefinition(kind).title,
      ])}
    />
  ),
}));

/** The page at the `type` of an error: what the error means and what to do about it. */
export const errorKindPage = createPageHandler((c, visit) => {
  const kind = c.req.param("kind") as ProblemKind;
  if (!Object.hasOwn(problemKinds, kind))
    throw new RejectedRequestError(404, ["There is no such kind of error. The Errors page lists all kinds."]);
  const { title, status } = getProblemDefinition(kind);
  const { profile } = visit;
  const operations = operationIds.filter((id) =>
    listProblemKinds(serviceApi.operations[id], { kind: "strict", profile }).includes(kind),
  );
  return {
    title,
    trail: [["Errors", visit.link("/errors")], [kind]],
    content: (
      <>
        <p>
          <Prose text={problemHelp[kind]} />
        </p>
        <DescriptionList
          of={[
            ["Type", <span class="key">{getProblemType(kind)}</span>],
            ["Status", describeStatus(kind, profile)],
            [
              "Status set by",
              typeof status === "number" ? null : (
                <>
                  the profile's answer to <code>{status.gap}</code>: {gaps[status.gap].question}
                </>
              ),
            ],
            ["Operations", operations.length === 0 ? null : operations.join(", ")],
          ]}
        />
      </>
    ),
  };
});

/** The status under the current profile, or why there is none. */
function describeStatus(kind: ProblemKind, profile: Profile): string {
  return canProblemOccur(kind, { kind: "strict", profile })
    ? String(getProblemStatus(kind, profile))
    : "none: this error does not occur under the current profile";
}
