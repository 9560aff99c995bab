import { inOneLine } from "../client/in-one-line.js";
import type { ComparedStep, CompareReport, ReportedDifference } from "./compare-report.js";

/** Differences that are told whole; of more, the text says how many there are of each operation. */
const mostTold = 20;

/** Steps that stand in the text; the page and the JSON have more. */
const mostSteps = 8;

const longestBody = 240;

/** A comparison for a terminal. */
export function comparisonText(report: CompareReport): string {
  const { figure, differences, leftOut, troubles, left, verdict, sides } = report;
  const lines = [
    ...differences.slice(0, mostTold).flatMap((difference, index) => differenceLines(difference, index + 1)),
    ...moreLines(differences.slice(mostTold)),
    ...(troubles.length === 0 ? [] : ["Not compared:", ...reasonLines(troubles), ""]),
    ...(leftOut.length === 0
      ? []
      : [`${leftOut.length} histories left out: one of the sides does not offer what they need`, ""]),
    ...(report.given.length === 0
      ? []
      : [
          "The accounts were given other values before, which do not count:",
          ...report.given.map(({ place, first, second }) => `  ${place}: ${cut(first)}, ${cut(second)}`),
          "",
        ]),
    ...left.map(({ kind, name, reason }) => `left behind: ${kind} ${name}: ${reason}`),
    figureText(report),
    ...(figure.passing === 0
      ? []
      : [`${figure.passing} differences did not come back when their history was run again`]),
    `${verdict}: ${sides[0].title}, and ${sides[1].title}`,
    "",
  ];
  return lines.join("\n");
}

/** The figure of a comparison in one sentence. */
export function figureText({ figure }: Pick<CompareReport, "figure">): string {
  const { operations, compared, different, answers } = figure;
  return `of ${operations} operations ${compared} compared, ${different} answer differently; ${answers} answers compared`;
}

function differenceLines(difference: ReportedDifference, number: number): readonly string[] {
  const { operation, place, detail, first, second, count, judgement, history, title, cameBack, steps } =
    difference;
  const shown = steps.slice(-mostSteps);
  return [
    `${number}. ${operation}, ${place}: ${detail}${count === 1 ? "" : ` (${count} answers)`}`,
    `   first   ${cut(first ?? "nothing")}`,
    `   second  ${cut(second ?? "nothing")}`,
    `   ${judgement.text}`,
    `   from ${history}: ${title}${cameBack ? "" : "; not looked at again"}`,
    ...(shown.length < steps.length ? [`   … ${steps.length - shown.length} requests before`] : []),
    ...shown.flatMap(stepLines),
    "",
  ];
}

/** What is told of differences that are too many to be told one by one. */
function moreLines(more: readonly ReportedDifference[]): readonly string[] {
  if (more.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { operation } of more) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return [
    `${more.length} more kinds of differences; --report-dir FOLDER writes all of them, --only AREAS asks for fewer:`,
    ...[...counts].map(([operation, count]) => `  ${operation}  ${count}`),
    "",
  ];
}

function stepLines({
  caller,
  method,
  url,
  requestBody = "",
  first,
  second,
}: ComparedStep): readonly string[] {
  const both = [first, second].map(({ status, body = "" }) =>
    `${status ?? "no answer"} ${cut(body)}`.trimEnd(),
  );
  return [
    `   ${caller}: ${method} ${url} ${cut(requestBody)}`.trimEnd(),
    ...(both[0] === both[1]
      ? [`     both    ${both[0] ?? ""}`]
      : [`     first   ${both[0] ?? ""}`, `     second  ${both[1] ?? ""}`]),
  ];
}

function cut(text: string): string {
  const line = inOneLine(text);
  return line.length <= longestBody ? line : `${line.slice(0, longestBody)}…`;
}

function reasonLines(
  reasons: readonly { readonly id: string; readonly reason: string }[],
): readonly string[] {
  return reasons.map(({ id, reason }) => `  ${id === "" ? "" : `${id}: `}${cut(reason)}`);
}
