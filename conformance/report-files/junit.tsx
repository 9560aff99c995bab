import type { HtmlEscapedString } from "hono/utils/html";
import { escapeInvisibleInJson } from "../../openapi/text/escape-invisible.js";
import type { Report, ReportedCheck, ReportedFailure } from "../report/report.js";
import { omitUnselectedChecks, replayInputPassedNote } from "../report/outcome-labels.js";

/** A test case with its outcome. */
interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly durationMs: number;
  /** Undefined if the test case passed. */
  readonly outcome?: "failure" | "error" | "skipped";
  /** Attributes of the outcome. */
  readonly said?: { readonly message: string; readonly type?: string };
  readonly details?: string;
}

/** Formats a report as JUnit XML: a test suite for each area, a test case for each selected check. */
export function renderJunitXml(report: Report): string {
  // XML 1.0 has no way to write controls
  const requested = escapeInvisibleInJson(omitUnselectedChecks(report));
  const { areas, checks, run, suite } = requested;
  const suites = [
    { name: "run", cases: wholeRun(requested) },
    ...areas.map(({ area }) => ({
      name: area,
      cases: checks.filter((check) => check.area === area).map(testCase),
    })),
  ].filter(({ cases }) => cases.length > 0);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const xml = (
    <testsuites
      name={`${suite.name} ${suite.version}`}
      {...counts(suites.flatMap(({ cases }) => cases))}
      time={seconds(run.durationMs)}
    >
      {suites.map(({ name, cases }) => (
        <testsuite
          name={name}
          {...counts(cases)}
          time={seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0))}
          timestamp={run.startedAt}
        >
          {cases.map(({ classname, name, durationMs, outcome: Outcome, said, details }) => (
            <testcase classname={classname} name={name} time={seconds(durationMs)}>
              {Outcome && <Outcome {...said}>{details}</Outcome>}
            </testcase>
          ))}
        </testsuite>
      ))}
    </testsuites>
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${(xml as HtmlEscapedString).toString()}\n`;
}

/** Lists the troubles of the run as a whole, each as a test case, because readers expect one failure or error per test case. */
function wholeRun({ preparation, troubles }: Report): readonly TestCase[] {
  const of = { classname: "run", name: "the whole run", durationMs: 0 };
  const [trouble] = troubles;
  if (preparation !== undefined) {
    const message = `${preparation.clause}: ${preparation.statement}`;
    return [{ ...of, outcome: "failure", said: { message }, details: preparation.seen }];
  }
  return trouble === undefined ? [] : [{ ...of, outcome: "error", said: { message: trouble } }];
}

function testCase(check: ReportedCheck): TestCase {
  const { area, id, title, clauses, level, reason = "", durationMs, failure } = check;
  const of = { classname: `${area}.${id}`, name: `${title} (${clauses.join(", ")})`, durationMs };
  if (level === "passed") return of;
  if (level === "not-declared") return { ...of, outcome: "skipped", said: { message: reason } };
  if (level !== "failed") return { ...of, outcome: "error", said: { message: `${level}: ${reason}` } };
  const details = failure === undefined ? reason : detailsOf(failure, check.inputHeld);
  return { ...of, outcome: "failure", said: { message: reason, type: failure?.clause ?? "" }, details };
}

function detailsOf(failure: ReportedFailure, inputHeld: true | undefined): string {
  const { clause, part, statement, expected, seen, counterexample, replay, curl } = failure;
  return [
    ...(inputHeld === undefined ? [] : [replayInputPassedNote]),
    `${clause} (${part}): ${statement}`,
    `expected: ${expected}`,
    `seen: ${seen}`,
    ...(counterexample === undefined ? [] : [`smallest input: ${counterexample}`]),
    ...(replay === undefined ? [] : [`replay: --replay ${replay}`]),
    "",
    curl,
  ].join("\n");
}

function counts(cases: readonly TestCase[]) {
  const of = (outcome: TestCase["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  return { tests: cases.length, failures: of("failure"), errors: of("error"), skipped: of("skipped") };
}
