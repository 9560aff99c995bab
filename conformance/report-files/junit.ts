import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import type { Report, ReportedCheck, ReportedFailure } from "../report/report.js";
import { selectRequested, inputHeldWords } from "../report/words.js";

/** A test case: its outcome, and what is said of it. */
interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly durationMs: number;
  /** Nothing for one that passed. */
  readonly outcome?: "failure" | "error" | "skipped";
  /** Attributes of the outcome. */
  readonly said?: { readonly message: string; readonly type?: string };
  readonly details?: string;
}

/** The report as JUnit XML: a test suite for each area, a test case for each check that was asked for. */
export function junitXml(report: Report): string {
  const { areas, checks, run, suite } = selectRequested(report);
  const suites = [
    { name: "run", cases: wholeRun(report) },
    ...areas.map(({ area }) => ({
      name: area,
      cases: checks.filter((check) => check.area === area).map(testCase),
    })),
  ].filter(({ cases }) => cases.length > 0);
  const name = `${suite.name} ${suite.version}`;
  const all = suites.flatMap(({ cases }) => cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    "testsuites",
    { name, ...counts(all), time: seconds(run.durationMs) },
    suites.map(({ name, cases }) => {
      const time = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
      return element(
        "testsuite",
        { name, ...counts(cases), time, timestamp: run.startedAt },
        cases.map(caseElement),
      );
    }),
  )}\n`;
}

/** What stands in the way of the run as a whole: one failure or error a test case is what readers expect. */
function wholeRun({ preparation, troubles }: Report): readonly TestCase[] {
  const of = { classname: "run", name: "the run as a whole", durationMs: 0 };
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
    ...(inputHeld === undefined ? [] : [inputHeldWords]),
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

function caseElement({
  classname,
  name,
  durationMs,
  outcome,
  said = { message: "" },
  details,
}: TestCase): string {
  const inner =
    outcome === undefined ? [] : [element(outcome, said, details === undefined ? [] : [escape(details)])];
  return element("testcase", { classname, name, time: seconds(durationMs) }, inner);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  inner: readonly string[],
): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(String(value))}"`);
  const start = `<${name}${given.join("")}`;
  return inner.length === 0 ? `${start}/>` : `${start}>\n${inner.join("\n")}\n</${name}>`;
}

/** XML 1.0 has no way to write controls; {@link escapeInvisibleInLines} leaves none. */
function escape(content: string): string {
  return escapeInvisibleInLines(content).replace(
    /[&<>"]/g,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
