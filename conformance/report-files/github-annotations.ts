import { truncateBody } from "../client/truncate-body.js";
import type { Report } from "../report/report.js";
import { escapeInvisible, escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import { explainVerdict, listFailures, getFailureName } from "../report/outcome-labels.js";

/** GitHub shows at most ten annotations per step. */
const maxAnnotations = 9;

/**
 * Formats lines that GitHub turns into annotations: one for each failure, up to its limit, and one for the verdict.
 * Returns none if the run is conformant or all selected checks passed.
 */
export function formatGithubAnnotations(report: Report): readonly string[] {
  const { verdict } = report;
  if (verdict === "conformant" || verdict === "partial") return [];
  const failures = listFailures(report).filter(({ failure }) => failure.sameAs === undefined);
  const kind = verdict === "inconclusive" ? "warning" : "error";
  return [
    formatCommand(kind, verdict, explainVerdict(report)),
    ...failures.slice(0, maxAnnotations).map((shown) => {
      const { clause, statement, comparison, ...values } = shown.failure;
      const [{ path, expected = "nothing", seen = "missing" } = { path: "", ...values }] =
        comparison?.differences ?? [];
      const where = comparison === undefined ? "" : `${comparison.what}${path === "" ? "" : ` at ${path}`}: `;
      const message = `${statement}\n${where}expected ${truncateBody(expected, 300)}\nseen ${truncateBody(seen, 300)}`;
      return formatCommand("error", `${clause} ${getFailureName(shown)}`, message);
    }),
  ];
}

function formatCommand(kind: "error" | "warning", title: string, message: string): string {
  const escapedTitle = escapeMessage(escapeInvisible(title)).replace(/[:,]/g, escapeCharacter);
  return `::${kind} title=${escapedTitle}::${escapeMessage(escapeInvisibleInLines(message))}`;
}

/** Escapes the characters that would end a GitHub command. */
function escapeMessage(text: string): string {
  return text.replace(/[%\r\n]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
