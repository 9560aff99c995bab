import { toOneLine } from "../client/to-one-line.js";
import type { ComparedExchange, CompareReport, ReportedCause } from "./compare-report.js";
import { missingReason } from "./accepted-causes.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** Maximum number of requests in the text; the page and the JSON contain more. */
const maxExchanges = 4;
const maxBody = 200;
/** Maximum number of operations named for one cause, and of causes shown with a history. */
const maxOperations = 6;
const maxHistories = 20;

/** Formats a comparison for a terminal: the operations, the causes, and what was not compared. */
export function formatComparison(report: CompareReport): string {
  const {
    operations,
    causes,
    acceptedNotFound,
    omitted,
    errors,
    leftBehind: left,
    counts,
    verdict,
    targets,
  } = report;
  const width = Math.max(...operations.map(({ operationId }) => operationId.length));
  const unexplained = causes.filter(({ accepted }) => accepted === missingReason).length;
  const lines = [
    `first:  ${targets[0]?.title ?? ""}`,
    `second: ${targets[1]?.title ?? ""}`,
    "",
    ...operations.map(({ operationId, state, responses, causes: numbers }) => {
      const shown = numbers.length > 10 ? [...numbers.slice(0, 10), "…"] : numbers;
      const why = numbers.length === 0 ? "" : `, see ${shown.map((number) => `#${number}`).join(", ")}`;
      return `${operationId.padEnd(width)}  ${state}${responses === 0 ? "" : ` (${formatCount(responses, "response")})`}${why}`;
    }),
    "",
    ...causes.flatMap((cause) => [...formatCause(cause), ""]),
    ...formatList("Accepted causes that were not found:", acceptedNotFound),
    ...formatList(
      `Left out (${omitted.length}):`,
      [...new Set(omitted.map(({ reason }) => reason))].map(shorten),
    ),
    ...formatList(
      "Not compared:",
      errors.map(({ id, reason }) => `${id === "" ? "" : `${id}: `}${shorten(reason)}`),
    ),
    ...left.map(({ kind, name, reason }) => `left behind: ${kind} ${name}: ${reason}`),
    ...(unexplained === 0 ? [] : [`accepted causes without a reason ("${missingReason}"): ${unexplained}`]),
    ...(counts.notReproduced === 0
      ? []
      : [`not counted, because they did not recur: ${formatCount(counts.notReproduced, "difference")}`]),
    formatFigure(report),
    `${verdict}: ${formatVerdict(report)}`,
    "",
  ];
  return lines.join("\n");
}

function formatList(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ""];
}

function formatCounted(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`];
}

/** Formats what was compared, in one sentence. */
export function formatFigure({ counts }: Pick<CompareReport, "counts">): string {
  const { operations, compared, different, responses, skipped } = counts;
  const more =
    skipped > 0
      ? `; ${formatCount(skipped, "request")} not compared, because an earlier request that they may depend on succeeded on only one target`
      : "";
  return `${compared} of ${operations} operations compared in ${formatCount(responses, "response")}; ${different} ${different === 1 ? "operation differs" : "operations differ"}${more}`;
}

/** Formats the counts behind the verdict. */
export function formatVerdict({
  counts,
  causes,
  acceptedNotFound,
}: Pick<CompareReport, "counts" | "causes" | "acceptedNotFound">): string {
  const accepted = causes.length - counts.newCauses;
  return [
    `${formatCount(counts.newCauses, "cause")} of differences${accepted === 0 ? "" : " not accepted"}`,
    ...formatCounted(accepted, "accepted"),
    ...formatCounted(acceptedNotFound.length, "accepted but not found"),
  ].join(", ");
}

/** Formats what the specification says about a cause, if it was judged. */
export function formatBrokenClauses({
  brokenClauses,
  notJudged: [first, ...others],
  gaps,
}: Pick<ReportedCause, "brokenClauses" | "notJudged" | "gaps">): string {
  if (brokenClauses.length === 0 && first !== undefined) {
    const clauses = [...new Set([first, ...others].map(({ clause }) => clause))].join(", ");
    const which =
      others.length === 0
        ? `${first.check} sees`
        : `${first.check} and ${formatCount(others.length, "more check")} see`;
    return `Not judged: ${which} this difference, but may report ${clauses} as broken for another reason.`;
  }
  if (brokenClauses.length === 0)
    return gaps.length === 0
      ? "No check found a broken clause; the specification may allow both responses."
      : `No check found a broken clause. The difference may come from a gap in the specification (${gaps.join(", ")}); use \`data-service observe\` to find each deployment's answer.`;
  return brokenClauses
    .map(({ target, clause, statement }) => `${clause}, broken by ${target}, requires: ${statement}`)
    .join(" ");
}

/** Formats the operations of a cause, with the number of affected answers. */
export function formatOperations({ operations, responses }: ReportedCause, most = Infinity): string {
  const named = operations.slice(0, most).map(({ operation, responses: count }) => `${operation} ${count}`);
  const more = operations.length - named.length;
  return `${formatCount(responses, "response")}: ${named.join(", ")}${more > 0 ? `, ${formatCount(more, "more operation")}` : ""}`;
}

function formatCause(cause: ReportedCause): readonly string[] {
  const { number, first, second, accepted, source, isReproduced, exchanges } = cause;
  const head = `#${number} ${shorten(cause.cause)}`;
  if (accepted !== undefined) return [`${head}  accepted: ${shorten(accepted)}`];
  return [
    head,
    `   ${formatOperations(cause, maxOperations)}`,
    `   first: ${shorten(first ?? "nothing")}; second: ${shorten(second ?? "nothing")}`,
    `   ${formatBrokenClauses(cause)}`,
    `   from ${source}${isReproduced ? "" : "; not confirmed by a second run"}`,
    ...(number > maxHistories ? [] : exchanges.slice(-maxExchanges).flatMap(formatExchange)),
  ];
}

function formatExchange({ first, second }: ComparedExchange): readonly string[] {
  const { method, url, body = "" } = first.request;
  const [here, there] = [first, second].map(({ answer, failure = "no response" }) =>
    answer === undefined ? failure : `${answer.status} ${shorten(answer.body)}`.trimEnd(),
  );
  return [
    `   ${first.caller}: ${method} ${url} ${shorten(body)}`.trimEnd(),
    ...(here === there
      ? [`     both    ${here ?? ""}`]
      : [`     first   ${here ?? ""}`, `     second  ${there ?? ""}`]),
  ];
}

function shorten(text: string): string {
  const line = toOneLine(text);
  return line.length <= maxBody ? line : `${line.slice(0, maxBody)}…`;
}
