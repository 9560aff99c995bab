import type { Report } from "../report/report.js";
import { visible, visibleLines } from "../../openapi/text/visible.js";
import { because } from "../report/words.js";

/** GitHub shows ten annotations of a step, and no more. */
const maxAnnotations = 9;

/**
 * Lines that GitHub turns into annotations of the run: one for each failure, as far as it shows them, and one for the
 * verdict. Nothing when the run is conformant, or what was selected passed.
 */
export function githubAnnotations(report: Report): readonly string[] {
  const { verdict, checks, preparation } = report;
  if (verdict === "conformant" || verdict === "partial") return [];
  const failures = [
    ...(preparation === undefined ? [] : [{ id: "before the first check", failure: preparation }]),
    ...checks.flatMap(({ id, failure }) => (failure === undefined ? [] : [{ id, failure }])),
  ].filter(({ failure }) => failure.sameAs === undefined);
  const kind = verdict === "inconclusive" ? "warning" : "error";
  return [
    command(kind, verdict, because(report)),
    ...failures
      .slice(0, maxAnnotations)
      .map(({ id, failure: { clause, statement, expected, seen, comparison } }) => {
        const [first] = comparison?.differences ?? [];
        const where =
          first === undefined
            ? ""
            : `${comparison?.what ?? ""}${first.path === "" ? "" : ` at ${first.path}`}: `;
        const pair =
          first === undefined ? [expected, seen] : [first.expected ?? "nothing", first.seen ?? "missing"];
        return command(
          "error",
          `${clause} ${id}`,
          `${statement}\n${where}expected ${cut(pair[0])}\nseen ${cut(pair[1])}`,
        );
      }),
  ];
}

function cut(text = ""): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function command(kind: "error" | "warning", title: string, message: string): string {
  return `::${kind} title=${escaped(visible(title)).replace(/[:,]/g, escapes)}::${escaped(visibleLines(message))}`;
}

/** What ends a command of GitHub, or a part of one. */
function escaped(text: string): string {
  return text.replace(/[%\r\n]/g, escapes);
}

function escapes(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}
