import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import { getArea, areas, type Check } from "../check/check.js";
import { checks as allChecks } from "../checks/register.js";
import { RunError } from "../client/violation.js";
import type { CheckResult } from "./result.js";
import { Run } from "./runner.js";
import { openTarget, type TargetChoice } from "../target/open-target.js";
import { Ledger } from "../target/ledger.js";
import { generateRunId } from "./run-id.js";

/** The functions of a test runner with which checks are registered, such as those of Vitest or Jest. */
export interface TestRunner {
  readonly describe: (title: string, body: () => void) => void;
  readonly it: (
    title: string,
    body: (context?: { skip?: (reason?: string) => void }) => Promise<void>,
    timeoutMs?: number,
  ) => void;
  readonly beforeAll: (body: () => Promise<void>, timeoutMs?: number) => void;
  readonly afterAll: (body: () => Promise<void>, timeoutMs?: number) => void;
}

/** Time limit of one check. */
const checkMs = 120_000;

/**
 * Registers checks as tests, grouped by area, so that a team can run them in its own test suite. Checks with requirements
 * that the target does not declare are skipped.
 *
 * @param begin creates the run; called once, before the first check
 */
export function registerChecks(
  { describe, it, beforeAll, afterAll }: TestRunner,
  begin: () => Promise<Run>,
  checks: readonly Check[] = allChecks,
): void {
  let run: Run | undefined;
  beforeAll(async () => {
    run = await begin();
    await run.prepare();
  }, checkMs);
  afterAll(async () => {
    const left = (await run?.cleanUp()) ?? [];
    if (left.length > 0)
      throw new Error(
        `left behind: ${left.map(({ entry, reason }) => `${entry.kind} ${entry.name} (${reason})`).join("; ")}`,
      );
  }, checkMs);
  for (const area of areas) {
    const ofArea = checks.filter((check) => getArea(check) === area);
    if (ofArea.length === 0) continue;
    describe(area, () => {
      for (const check of ofArea)
        it(
          check.clauses.length === 0 ? check.title : `${check.title} (${check.clauses.join(", ")})`,
          // Jest and Mocha would take a declared parameter for a callback that the test has to call.
          async (...[context]) => {
            if (run === undefined) throw new Error("the run has not started");
            const result = await run.check(check);
            if (result.level === "not-declared") context?.skip?.(result.reason);
            else if (result.level !== "passed") throw new Error(formatMessage(result));
          },
          checkMs,
        );
    });
  }
}

function formatMessage({ level, reason, failure }: CheckResult): string {
  const lines = [
    `${level}: ${reason ?? ""}`,
    ...(failure?.property?.inputs ?? []).map(({ name, value }) => `smallest input found, ${name}: ${value}`),
    ...(failure?.exchanges ?? []).map(
      ({ request, answer, failure: lost }) =>
        `${request.method} ${request.url} → ${answer === undefined ? (lost ?? "no response") : `${answer.status} ${answer.body}`}`,
    ),
  ];
  return escapeInvisibleInLines(lines.join("\n"));
}

export type BeginRunOptions = TargetChoice & {
  /** Seed of the generated inputs. Defaults to 1. */
  readonly seed?: number;
  /** Number of inputs tried per property. Defaults to 10. */
  readonly runs?: number;
};

/**
 * Creates a run for {@link registerChecks}: `() => beginRun({ emulator: "http://127.0.0.1:4100" })`. A ledger file lists
 * what the run creates on a deployment until it is removed.
 *
 * @throws RunError if an option is not valid or the target cannot be used
 */
export async function beginRun({ seed = 1, runs = 10, ...choice }: BeginRunOptions): Promise<Run> {
  // With fewer than one input, every property would pass.
  for (const [name, value, least] of [["seed", seed, 0] as const, ["runs", runs, 1] as const])
    if (!Number.isSafeInteger(value) || value < least)
      throw new RunError(`${name} must be a whole number of at least ${least}, not ${String(value)}`);
  const id = generateRunId();
  const target = await openTarget(choice, id);
  return new Run({ target, ledger: Ledger.createFile(id, target.baseUrl), seed, runs });
}
