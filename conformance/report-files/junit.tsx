import type { HtmlEscapedString } from "hono/utils/html";
import { escapeInvisibleInJson } from "../../openapi/text/escape-invisible.js";
import type { Report, ReportedCheck, ReportedFailure } from "../report/report.js";
import { replayInputPassedNote } from "../report/outcome-labels.js";

/** A test case with its outcome. */
interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly durationMs: number;
  /** Undefined if the test case passed. */
  readonly outcome?: "failure" | "error" | "skipped";
  /** Attributes of the outcome. */
  readonly attributes?: { readonly message: string; readonly type?: string };
  readonly details?: string;
}

/** Formats a report as JUnit XML: a test suite for each area, a test case for each check. */
export function renderJunitXml(report: Report): string {
  // XML 1.0 cannot represent control characters.
  const { areas, checks, errors, run, suite } = escapeInvisibleInJson(report);
  const suites = [
    { name: "run", cases: listRunTroubles(errors) },
    ...areas.map(({ area }) => ({
      name: area,
      cases: checks.filter((check) => check.area === area).map(toTestCase),
    })),
  ].filter(({ cases }) => cases.length > 0);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const xml = (
    <testsuites
      name={`${suite.name} ${suite.version}`}
      {...countOutcomes(suites.flatMap(({ cases }) => cases))}
      time={seconds(run.durationMs)}
    >
      {suites.map(({ name, cases }) => (
        <testsuite
          name={name}
          {...countOutcomes(cases)}
          time={seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0))}
          timestamp={run.startedAt}
        >
          {cases.map(({ classname, name, durationMs, outcome: Outcome, attributes, details }) => (
            <testcase classname={classname} name={name} time={seconds(durationMs)}>
              {Outcome && <Outcome {...attributes}>{details}</Outcome>}
            </testcase>
          ))}
        </testsuite>
      ))}
    </testsuites>
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${(xml as HtmlEscapedString).toString()}\n`;
}

/** Returns a test case for a problem that concerns the whole run. */
function listRunTroubles([message]: Report["errors"]): readonly TestCase[] {
  if (message === undefined) return [];
  const base = { classname: "run", name: "the whole run", durationMs: 0 };
  return [{ ...base, outcome: "error", attributes: { message } }];
}

function toTestCase(check: ReportedCheck): TestCase {
  const { area, id, title, clauses, level, reason = "", durationMs, failure } = check;
  const base = { classname: `${area}.${id}`, name: `${title} (${clauses.join(", ")})`, durationMs };
  if (level === "passed") return base;
  if (level === "not-declared") return { ...base, outcome: "skipped", attributes: { message: reason } };
  if (level !== "failed")
    return { ...base, outcome: "error", attributes: { message: `${level}: ${reason}` } };
  const details = failure === undefined ? reason : formatDetails(failure, check.inputPassed);
  return {
    ...base,
    outcome: "failure",
    attributes: { message: reason, type: failure?.clause ?? "" },
    details,
  };
}

function formatDetails(failure: ReportedFailure, inputPassed: true | undefined): string {
  const { clause, part, statement, expected, actual, inputs = [], replay, curl } = failure;
  return [
    ...(inputPassed === undefined ? [] : [replayInputPassedNote]),
    `${clause} (${part}): ${statement}`,
    `expected: ${expected}`,
    `actual: ${actual}`,
    ...inputs.map(({ name, value }) => `smallest input found, ${name}: ${value}`),
    `replay: --replay ${replay}`,
    "",
    curl,
  ].join("\n");
}

function countOutcomes(cases: readonly TestCase[]) {
  const count = (outcome: TestCase["outcome"]) =>
    cases.filter((testCase) => testCase.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}
