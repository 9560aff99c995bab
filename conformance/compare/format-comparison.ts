import { type Finding, type FindingList, formatFindings, groupReasons } from "../report/findings.js";
import type { CompareReport, ReportedCause } from "./compare-report.js";
import { missingReason } from "./accepted-causes.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** Formats a comparison for a terminal: the operations, the causes, and what was not compared. */
export function formatComparison(report: CompareReport): string {
  const [first, second] = report.targets.map(({ title }) => title);
  return [
    `first:  ${first ?? ""}`,
    `second: ${second ?? ""}`,
    "",
    ...formatFindings(listComparedFindings(report)),
    ...formatFigures(report),
    `${report.verdict}: ${formatVerdict(report)}`,
    "",
  ].join("\n");
}

export function listComparedFindings(report: CompareReport): readonly FindingList[] {
  const { operations, causes, acceptedNotFound, omitted, errors, leftBehind } = report;
  const list = (isAccepted: boolean) =>
    causes.filter(({ accepted }) => (accepted !== undefined) === isAccepted).map(toFinding);
  return [
    {
      title: "Operations",
      findings: operations.map(({ operationId, state, responses, causes }) => ({
        name: operationId,
        notes: [responses === 0 ? state : `${state} (${formatCount(responses, "response")})`],
        see: causes,
      })),
    },
    { title: "Causes of differences", findings: list(false) },
    { title: "Accepted causes", findings: list(true), inTerminal: "brief" },
    {
      title: "Accepted causes that were not found",
      findings: acceptedNotFound.map((name) => ({ name, notes: [] })),
    },
    { title: "Left out", findings: groupReasons(omitted) },
    { title: "Not compared", findings: groupReasons(errors) },
    {
      title: "Resources left behind",
      findings: leftBehind.map(({ kind, name, reason }) => ({ name: `${kind} ${name}`, notes: [reason] })),
    },
  ];
}

function toFinding(cause: ReportedCause): Finding {
  const { number, accepted, operations, responses, statuses, first, second } = cause;
  const { source, title, isReproduced, exchanges, omittedExchanges, curl } = cause;
  const counts = operations.map(({ operation, responses: count }) => `${operation} ${count}`);
  return {
    number,
    name: cause.cause,
    notes: [
      ...(accepted === undefined ? [] : [`accepted: ${accepted}`]),
      `${formatCount(responses, "response")} (${statuses.join(", ")}): ${counts.join(", ")}`,
      describeJudgment(cause),
      `from \`${source}\`: ${title}${isReproduced ? "" : "; not confirmed by a second run"}`,
    ],
    values: [
      ["first", first ?? "nothing"],
      ["second", second ?? "nothing"],
    ],
    exchanges,
    omittedExchanges,
    curl,
  };
}

/** Describes what the specification says about a cause, as far as known. */
function describeJudgment({ brokenClauses, gaps, source }: ReportedCause): string {
  if (brokenClauses.length > 0)
    return brokenClauses
      .map(({ target, clause, statement }) => `${clause}, broken by ${target}, requires: ${statement}`)
      .join(" ");
  if (gaps.length > 0)
    return `may come from a gap in the specification (${gaps.join(", ")}); \`data-service observe\` finds each target's answer`;
  const isCheck = !/^(gaps|har)\//.test(source);
  return `no response violates the contract${isCheck ? `; \`data-service certify --only ${source}\` finds out whether a target breaks a clause` : ""}`;
}

/** Formats what was compared, one sentence per line. */
export function formatFigures({ counts, causes }: CompareReport): readonly string[] {
  const { operations, compared, different, responses, skipped, notReproduced } = counts;
  const unexplained = causes.filter(({ accepted }) => accepted === missingReason).length;
  return [
    `${compared} of ${operations} operations compared in ${formatCount(responses, "response")}; ${different} ${different === 1 ? "operation differs" : "operations differ"}`,
    ...(skipped > 0
      ? [
          `${formatCount(skipped, "request")} not compared, because an earlier request that they may depend on succeeded on only one target`,
        ]
      : []),
    ...(notReproduced > 0
      ? [`not counted, because they did not recur: ${formatCount(notReproduced, "difference")}`]
      : []),
    ...(unexplained > 0 ? [`accepted causes without a reason ("${missingReason}"): ${unexplained}`] : []),
  ];
}

/** Formats the counts behind the verdict. */
export function formatVerdict({ counts, causes, acceptedNotFound }: CompareReport): string {
  const accepted = causes.length - counts.newCauses;
  return [
    `${formatCount(counts.newCauses, "cause")} of differences${accepted === 0 ? "" : " not accepted"}`,
    ...(accepted === 0 ? [] : [`${accepted} accepted`]),
    ...(acceptedNotFound.length === 0 ? [] : [`${acceptedNotFound.length} accepted but not found`]),
  ].join(", ");
}
