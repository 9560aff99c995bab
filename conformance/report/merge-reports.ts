import { isDeepStrictEqual } from "node:util";
import { checks as allChecks } from "../checks/register.js";
import { operationIds } from "../../openapi/operations/register.js";
import { RunError } from "../client/violation.js";
import { outcomesBySeverity, getVerdict } from "../run/verdict.js";
import type { Report, ReportedCheck } from "./report.js";
import { countResults, linkIdenticalFailures } from "./count-results.js";

/**
 * Merges the reports of all shards of a run. The verdict, clauses and access matrix are the same as if the whole run had
 * been one. The duration is from the first start to the last end.
 *
 * @throws RunError when the reports are not from the shards of one run, or a shard is missing
 */
export function mergeReports(reports: readonly Report[]): Report {
  const shards = [...reports].sort((a, b) => (a.run.shard?.index ?? 0) - (b.run.shard?.index ?? 0));
  assertOneRun(shards);
  const [first] = shards;
  if (first === undefined) throw new RunError("no reports to merge");
  const ids = new Set(shards.flatMap((report) => report.checks.map(({ id }) => id)));
  const order = new Map(allChecks.map(({ id }, index): [string, number] => [id, index]));
  const merged = [...ids]
    .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
    .map((id) => mergeCheck(id, shards));
  const checks = linkIdenticalFailures(merged);
  const errors = [...new Set(shards.flatMap((report) => report.errors))];
  const observed = shards.find(({ observations }) => observations !== undefined)?.observations;
  const runs = shards.map(({ run }) => run);
  const { startedAt } = runs.reduce((a, b) => (a.startedAt < b.startedAt ? a : b));
  const { endedAt } = runs.reduce((a, b) => (a.endedAt > b.endedAt ? a : b));
  const { shard, ...run } = first.run;
  return {
    format: first.format,
    suite: first.suite,
    target: first.target,
    run: {
      ...run,
      id: runs.map(({ id }) => id).join("+"),
      ...(shard === undefined ? {} : { mergedFrom: shard.count }),
      startedAt,
      endedAt,
      durationMs: Date.parse(endedAt) - Date.parse(startedAt),
      requests: runs.reduce((sum, { requests }) => sum + requests, 0),
    },
    verdict: getVerdict(checks, errors, first.run.notSelected),
    errors,
    ...countResults(checks),
    checks,
    operations: operationIds.map((operationId) => {
      const same = shards.flatMap(({ operations }) =>
        operations.filter((one) => one.operationId === operationId),
      );
      const sum = (of: "valid" | "invalid" | "responses") => same.reduce((total, one) => total + one[of], 0);
      return { operationId, valid: sum("valid"), invalid: sum("invalid"), responses: sum("responses") };
    }),
    accessMatrix: shards
      .flatMap(({ accessMatrix }) => accessMatrix)
      .sort((a, b) => (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0)),
    ...(observed === undefined ? {} : { observations: observed }),
    leftBehind: shards.flatMap(({ leftBehind }) => leftBehind),
  };
}

/** Returns the result of a check from its shard; for a precondition, which runs in all shards, the worst result. */
function mergeCheck(id: string, shards: readonly Report[]): ReportedCheck {
  const all = shards.flatMap(({ checks }) => checks.filter((check) => check.id === id));
  const [worst] = all.sort(
    (a, b) => outcomesBySeverity.indexOf(a.level) - outcomesBySeverity.indexOf(b.level),
  );
  if (worst === undefined) throw new RunError(`no report contains the check ${id}`);
  return worst;
}

/** The settings that all shards of a run share, with their names. */
const sharedSettings: readonly (readonly [string, (report: Report) => unknown])[] = [
  ["version of the suite", ({ suite }) => `${suite.version}, contract ${suite.contractSha256}`],
  ["target", ({ target }) => target.title],
  ["seed", ({ run }) => run.seed],
  ["number of runs per property", ({ run }) => run.runs],
  ["choice of checks (--only)", ({ run }) => run.only],
  ["number of shards", ({ run }) => run.shard?.count],
];

function assertOneRun(shards: readonly Report[]): void {
  const [first] = shards;
  if (first === undefined) return;
  const whole = shards.find(({ run }) => run.shard === undefined);
  if (whole !== undefined)
    throw new RunError(
      `the report of run ${whole.run.id} is not from a shard; merge only reports of runs with --shard`,
    );
  for (const [what, of] of sharedSettings) {
    const other = shards.find((report) => !isDeepStrictEqual(of(report), of(first)));
    if (other !== undefined)
      throw new RunError(
        `the reports are from different runs: the ${what} is ${String(of(first))} in one report and ${String(of(other))} in another`,
      );
  }
  const count = first.run.shard?.count ?? 0;
  const indices = shards.map(({ run }) => run.shard?.index ?? 0);
  const missing = Array.from({ length: count }, (_, n) => n + 1).filter((index) => !indices.includes(index));
  if (missing.length > 0)
    throw new RunError(
      `${missing.map((index) => `shard ${index}/${count}`).join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`,
    );
  const twice = indices.find((index, at) => indices.indexOf(index) !== at);
  if (twice !== undefined) throw new RunError(`shard ${twice}/${count} was given more than once`);
}
