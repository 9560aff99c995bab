import { escapeInvisible } from "../../openapi/text/escape-invisible.js";
import { formatSummary } from "../report/format-summary.js";
import type { Report } from "../report/report.js";

/** GitHub drops summaries that are longer than 1 MiB; a UTF-16 unit has at most 3 bytes. */
const maxLength = 300_000;

const signs = { conformant: "✅", partial: "☑️", "not conformant": "❌", inconclusive: "⚠️" } as const;

/** Formats a run as Markdown for a job summary: the verdict, then the text for a terminal, or its end if it is too long. */
export function formatMarkdownSummary(report: Report, command: string): string {
  const { verdict, target } = report;
  const summary = formatSummary(report, { command });
  const shown = summary.length > maxLength ? `…${summary.slice(-maxLength)}` : summary;
  const text = `${escapeInvisible(target.title)}\n\n${shown}`;
  const runs = text.match(/`+/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map(({ length }) => length + 1)));
  return `## ${signs[verdict]} ${verdict}\n\n${fence}text\n${text}${fence}\n`;
}
