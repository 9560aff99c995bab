import { groupNonDefaultAnswersByArea } from "../../openapi/gaps/register.js";
import { toOneLine } from "../client/to-one-line.js";
import type { Exchange } from "../client/exchange.js";
import { isBroken, type ReportedObservation } from "./reported-observation.js";

/** Maximum number of printed characters of a body; the JSON report has more. */
const maxBodyLength = 200;

/**
 * Formats observations: answers that no profile can express, with exchanges; then other answers; then broken clauses; then
 * other undecided gaps.
 */
export function formatObservations(observations: readonly ReportedObservation[]): string {
  const of = (kind: ReportedObservation["kind"]) =>
    observations.filter((observation) => observation.kind === kind);
  const differing = observations.filter(({ isDefault }) => isDefault === false);
  const lines: string[] = [];
  const section = (title: string, entries: readonly string[]) => {
    if (entries.length > 0) lines.push(title, ...entries, "");
  };
  section(
    "Answers that the gaps do not list",
    of("other").flatMap(({ gap, question, actual = "", expected = "", exchanges }) => [
      `  ${gap}: ${question}`,
      `    actual    ${toOneLine(actual)}`,
      `    expected  ${expected}`,
      ...exchanges.flatMap(exchangeLines),
    ]),
  );
  section(
    "Answers that differ from the default profile",
    groupNonDefaultAnswersByArea(
      Object.fromEntries(differing.map(({ gap, answer }) => [gap, answer])),
    ).flatMap(({ area, answers: ofArea }) => [
      `  ${area}`,
      ...ofArea.map(([gap, answer]) => `    ${gap}: ${JSON.stringify(answer)}`),
    ]),
  );
  section("Broken clauses", observations.filter(isBroken).map(reasonLine));
  section(
    "Undecided",
    of("undecided")
      .filter((observation) => !isBroken(observation))
      .map(reasonLine),
  );
  section(
    "Not declared: the target file does not declare what these observations need",
    of("not declared").map(reasonLine),
  );
  lines.push(`${formatCounts(observations)}.`, "");
  return lines.join("\n");
}

/** Formats the number of observations of each kind, without a period. */
export function formatCounts(observations: readonly ReportedObservation[]): string {
  const of = (kind: ReportedObservation["kind"]) =>
    observations.filter((observation) => observation.kind === kind).length;
  const differing = observations.filter(({ isDefault }) => isDefault === false).length;
  return (
    `${observations.length} gaps: ${of("answer")} with known answers (${differing} not the default), ` +
    `${of("other")} with other answers, ` +
    `${of("undecided")} undecided (${observations.filter(isBroken).length} because of broken clauses), ` +
    `${of("not declared")} not declared`
  );
}

function reasonLine({ gap, reason = "" }: ReportedObservation): string {
  return `  ${gap}: ${toOneLine(reason)}`;
}

function exchangeLines({ number, caller, request, answer }: Exchange) {
  const body = (text: string | undefined) =>
    text === undefined || text === "" ? "" : ` ${toOneLine(text).slice(0, maxBodyLength)}`;
  return [
    `      ${number}. ${caller}: ${request.method} ${request.url}${body(request.body)}`,
    `         → ${answer?.status ?? "no response"}${body(answer?.body)}`,
  ];
}
