import type { Report } from "../report/report.js";
import { escapeInvisibleInJson } from "../../openapi/text/escape-invisible.js";
import {
  omitUnselectedChecks,
  explainVerdict,
  groupByReason,
  listFailures,
  formatCounts,
  getFailureName,
  type NamedFailure,
} from "../report/outcome-labels.js";

/** Limits that keep a summary short, because GitHub drops summaries that are longer than 1 MiB. */
const maxFailures = 50;
const maxValueLength = 300;

const signs = { conformant: "✅", partial: "☑️", "not conformant": "❌", inconclusive: "⚠️" } as const;

/** Formats a run as Markdown for a job summary: verdict, failures, areas, and what remains open. */
export function formatMarkdownSummary(given: Report): string {
  const report = escapeInvisibleInJson(given);
  const { verdict, areas, run, target, suite } = report;
  const selected = omitUnselectedChecks(report);
  const failed = listFailures(report);
  const shown = failed.slice(0, maxFailures);
  const open = (["not-declared", "blocked", "not-run"] as const).flatMap((level) =>
    [...groupByReason(selected, level)].map(
      ([reason, ids]) => `| ${level} | ${ids.length} | ${escapeCell(reason)} |`,
    ),
  );
  return [
    `## ${signs[verdict]} ${verdict}: ${escapeText(target.title)}`,
    "",
    `${escapeText(explainVerdict(report))}.`,
    "",
    ...(shown.length === 0
      ? []
      : ["| check | clause | expected | seen |", "| --- | --- | --- | --- |", ...shown.map(failureRow), ""]),
    ...(failed.length > shown.length ? [`More failures: ${failed.length - shown.length}.`, ""] : []),
    "<details><summary>Results by area</summary>",
    "",
    "| area | checks |",
    "| --- | --- |",
    ...areas.map(({ area, counts }) => `| ${area} | ${formatCounts(counts)} |`),
    "",
    "</details>",
    "",
    ...(open.length === 0
      ? []
      : [
          "<details><summary>What remains open</summary>",
          "",
          "| | checks | reason |",
          "| --- | --- | --- |",
          ...open,
          "",
          "</details>",
          "",
        ]),
    `${run.requests} requests in ${(run.durationMs / 1000).toFixed(1)} s, seed ${run.seed}, ${suite.name} ${suite.version}`,
    "",
  ].join("\n");
}

function failureRow(shown: NamedFailure): string {
  const { clause, statement, comparison, sameAs, ...values } = shown.failure;
  const about = `${formatCode(getFailureName(shown))} | **${clause}** ${escapeCell(statement)}`;
  if (sameAs !== undefined) return `| ${about} | same failure as in ${formatCode(sameAs)} | |`;
  const [{ path, expected = "nothing", seen = "missing" } = { path: "", ...values }] =
    comparison?.differences ?? [];
  const more = (comparison?.differenceCount ?? 1) - 1;
  const place = path === "" ? "" : `${formatCode(path)}: `;
  return `| ${about} | ${place}${formatCode(expected)} | ${place}${formatCode(seen)}${more > 0 ? `, and ${more} more` : ""} |`;
}

/** Formats a text as code in a cell, without Markdown syntax. */
function formatCode(given: string): string {
  const short = given.length > maxValueLength ? `${given.slice(0, maxValueLength)}…` : given;
  const line = short.replace(/\s+/g, " ").replaceAll("|", "\\|");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

function escapeCell(given: string): string {
  return escapeText(given).replaceAll("|", "\\|");
}

/** Escapes the syntax of Markdown and HTML in a text. */
function escapeText(given: string): string {
  return given.replace(/\s+/g, " ").replace(/[\\`*_{}[\]<>#]/g, (character) => `\\${character}`);
}
