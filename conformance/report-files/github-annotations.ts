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
    command(kind, verdict, explainVerdict(report)),
    ...failures.slice(0, maxAnnotations).map((shown) => {
      const { clause, statement, comparison, ...values } = shown.failure;
      const [{ path, expected = "nothing", seen = "missing" } = { path: "", ...values }] =
        comparison?.differences ?? [];
      const where = comparison === undefined ? "" : `${comparison.what}${path === "" ? "" : ` at ${path}`}: `;
      const words = `${statement}\n${where}expected ${truncateBody(expected, 300)}\nseen ${truncateBody(seen, 300)}`;
      return command("error", `${clause} ${getFailureName(shown)}`, words);
    }),
  ];
}

function command(kind: "error" | "warning", title: string, message: string): string {
  return `::${kind} title=${escaped(escapeInvisible(title)).replace(/[:,]/g, escapes)}::${escaped(escapeInvisibleInLines(message))}`;
}

/** Characters that end a GitHub command or a part of it, with their escapes. */
function escaped(text: string): string {
  return text.replace(/[%\r\n]/g, escapes);
}

function escapes(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
