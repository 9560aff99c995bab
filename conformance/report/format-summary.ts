import type { CheckOutcome } from "../run/result.js";
import { formatFailure, formatTable, type FailureTextOptions, type Colorizer } from "./format-failure.js";
import type { Report } from "./report.js";
import { escapeInvisibleInJson } from "../../openapi/text/escape-invisible.js";
import {
  explainVerdict,
  formatCounts,
  formatDuration,
  groupByReason,
  listFailures,
  replayInputPassedNote,
  type FailedCheck,
} from "./outcome-labels.js";

export interface SummaryOptions {
  /** The command line without options that select what to run, for the command that replays a failure. */
  readonly command: string;
  readonly paint?: Colorizer;
  /** Whether to show all exchanges and the curl script of each failure. */
  readonly isVerbose?: boolean;
  /** The files that `writeFailures` has written, by check. */
  readonly files?: ReadonlyMap<string, Pick<FailureTextOptions, "file" | "script">> | undefined;
}

/** Formats a run: failures, counts by area and by part of the specification, what is open, and the verdict. */
export function formatSummary(given: Report, options: SummaryOptions): string {
  const { command, paint = (text: string) => text, isVerbose = false, files } = options;
  const report = escapeInvisibleInJson(given);
  const { checks, areas, parts, verdict, run, leftBehind: left } = report;
  const failed = listFailures(report);
  const lines: string[] = [];
  const add = (...more: string[]) => void lines.push(...more);
  const format = ({ id, failure }: FailedCheck) =>
    formatFailure(failure, {
      command,
      paint,
      baseUrl: report.target.baseUrl,
      isVerbose,
      ...files?.get(id),
    });
  for (const check of failed) {
    const { failure, id, title, inputPassed } = check;
    add(`${paint("FAILED", "red")} ${id}: ${title}`);
    if (failure.sameAs !== undefined && !isVerbose)
      add(`  ${failure.clause}: same failure as in ${failure.sameAs}`, "");
    else add(...(inputPassed === undefined ? [] : [`  (${replayInputPassedNote})`]), ...format(check), "");
  }
  if (checks.some(({ level }) => level !== "not-run")) {
    add(
      paint("Results by area", "bold"),
      ...formatTable(areas.map(({ area, counts }) => [area, formatCounts(counts)])),
      "",
    );
    add(paint("Clauses by part of the specification", "bold"));
    add(...formatTable(parts.map(({ part, counts }) => [part, formatCounts(counts)])), "");
  }
  const addReasons = (level: CheckOutcome, title: string) => {
    const reasons = groupByReason(report, level);
    if (reasons.size === 0) return;
    add(paint(title, "bold"));
    for (const [reason, ids] of reasons)
      add(`  ${reason}`, ...(ids.length > 5 ? [`    ${ids.length} checks`] : ids.map((id) => `    ${id}`)));
    add("");
  };
  addReasons("not-declared", "Not declared: the target file does not declare what these checks need");
  addReasons(
    "blocked",
    "Blocked: another check already reports the cause, or a check that must pass first did not pass",
  );
  addReasons("not-run", "Not run");
  if (left.length > 0) {
    add(paint("Resources left behind", "bold"));
    for (const { kind, name, reason } of left) add(`  ${kind} ${name}: ${reason}`);
    add("");
  }
  if (failed.length >= maxWithoutIndex)
    add(
      paint(`${failed.length} failures`, "bold"),
      ...formatTable(failed.map((shown) => [shown.id, describeFailure(shown)])),
      "",
    );
  const { notSelected } = run;
  // The explanation of a partial verdict already says this.
  if (notSelected > 0 && verdict !== "partial")
    add(
      notSelected === 1
        ? `1 check ${run.shard === undefined ? "was not selected" : "belongs to another shard"}`
        : `${notSelected} checks ${run.shard === undefined ? "were not selected" : "belong to other shards"}`,
      "",
    );
  const colors = {
    conformant: "green",
    partial: "yellow",
    inconclusive: "yellow",
    "not conformant": "red",
  } as const;
  add(
    `${paint(verdict, colors[verdict])}: ${explainVerdict(report)}`,
    `${run.requests} requests in ${formatDuration(run.durationMs)}, seed ${run.seed}`,
  );
  return `${lines.join("\n")}\n`;
}

/** If at least this many checks failed, the failures are listed again before the verdict. */
const maxWithoutIndex = 4;

function describeFailure({ failure: { clause, sameAs } }: FailedCheck): string {
  return sameAs === undefined ? clause : `${clause}, same as ${sameAs}`;
}
