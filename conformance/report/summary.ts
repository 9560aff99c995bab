import type { Level } from "../run/result.js";
import type { Report, ReportedExchange, ReportedFailure } from "./report.js";
import { visibleAll } from "./visible.js";
import { because, byReason, inputHeldWords, inWords } from "./words.js";

export interface SummaryOptions {
  /** The command line up to the options about what to run, for the line that replays. */
  readonly command: string;
  /** Makes a text stand out; the identity where there is no terminal. */
  readonly paint?: (text: string, color: "red" | "green" | "yellow" | "bold") => string;
}

/** Bodies are cut to this many characters; `report.json` has them whole. */
const longestBody = 400;
/** A longer curl script is left to `report.json`. */
const longestScript = 6000;
/** Exchanges of one failure that are shown. */
const mostExchanges = 12;

/** A run in words: failures, counts by area and by part of the specification, what is open, the verdict. */
export function summaryText(given: Report, { command, paint = (text) => text }: SummaryOptions): string {
  const report = visibleAll(given);
  const { checks, preparation, areas, parts, verdict, run, left } = report;
  const lines: string[] = [];
  const add = (...more: string[]) => void lines.push(...more);
  for (const { failure, id, title, inputHeld } of checks)
    if (failure?.sameAs !== undefined)
      add(
        `${paint("FAILED", "red")} ${id}: ${title}`,
        `  ${failure.clause}: the same as in ${failure.sameAs}`,
        "",
      );
    else if (failure !== undefined) {
      const [first = "", ...rest] = failureLines(
        `${paint("FAILED", "red")} ${id}: ${title}`,
        failure,
        command,
      );
      add(first, ...(inputHeld === undefined ? [] : [`  (${inputHeldWords})`]), ...rest, "");
    }
  if (preparation !== undefined)
    add(...failureLines(`${paint("FAILED", "red")} before the first check`, preparation, command), "");
  if (checks.some(({ level }) => level !== "not-run")) {
    add(paint("By area", "bold"), ...table(areas.map(({ area, counts }) => [area, inWords(counts)])), "");
    add(paint("Clauses by part of the specification", "bold"));
    add(...table(parts.map(({ part, counts }) => [part, inWords(counts)])), "");
  }
  const open = (level: Level, title: string) => {
    const reasons = byReason(report, level);
    if (reasons.size === 0) return;
    add(paint(title, "bold"));
    for (const [reason, ids] of reasons)
      add(`  ${reason}`, ...(ids.length > 5 ? [`    ${ids.length} checks`] : ids.map((id) => `    ${id}`)));
    add("");
  };
  open("not-declared", "Not declared: the target does not offer what these need");
  open("blocked", "Blocked: what these build on did not hold");
  open("not-run", "Not run");
  if (left.length > 0) {
    add(paint("Left behind", "bold"));
    for (const { kind, name, reason } of left) add(`  ${kind} ${name}: ${reason}`);
    add("");
  }
  const color = verdict === "conformant" ? "green" : verdict === "inconclusive" ? "yellow" : "red";
  add(
    `${paint(verdict, color)}: ${because(report)}`,
    `${run.requests} requests in ${(run.durationMs / 1000).toFixed(1)} s, seed ${run.seed}`,
  );
  return `${lines.join("\n")}\n`;
}

function failureLines(title: string, failure: ReportedFailure, command: string): string[] {
  const { clause, part, statement, expected, seen, counterexample, exchanges, curl, replay } = failure;
  const { heldAgain, openQuestions } = failure;
  const shown = exchanges.slice(-mostExchanges);
  const skipped = exchanges.length - shown.length;
  return [
    title,
    `  ${clause} (part ${part}): ${statement}`,
    `  expected  ${expected}`,
    `  seen      ${seen}`,
    ...(heldAgain === undefined ? [] : ["  it was tried once more, and did not come back"]),
    ...(openQuestions.length === 0
      ? []
      : [
          `  open questions near by, which the target file can answer under \`profile\`: ${openQuestions.join(", ")}`,
        ]),
    ...(counterexample === undefined ? [] : [`  smallest input found: ${cut(counterexample)}`]),
    ...(skipped > 0 ? [`  (${skipped} earlier exchanges are left out here)`] : []),
    ...shown.flatMap((exchange, index) => exchangeLines(exchange, skipped + index + 1)),
    ...(curl.length <= longestScript
      ? [
          "  the same with curl:",
          ...curl
            .trimEnd()
            .split("\n")
            .map((line) => (line === "" ? "" : `    ${line}`)),
        ]
      : ["  the curl script is long; --report-dir FOLDER writes it into report.json"]),
    ...(replay === undefined ? [] : [`  the same again: ${command} --replay ${replay}`]),
  ];
}

function exchangeLines(exchange: ReportedExchange, number: number): string[] {
  const { caller, method, url, requestBody, status, answerBody = "", lost } = exchange;
  return [
    `  ${number}. ${caller}: ${method} ${url}${requestBody === undefined ? "" : ` ${cut(requestBody)}`}`,
    `     → ${status === undefined ? (lost ?? "no answer") : `${status} ${cut(answerBody)}`}`,
  ];
}

function cut(text: string): string {
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)}… (${text.length} characters)`;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, words]) => `  ${name.padEnd(width)}  ${words}`);
}
