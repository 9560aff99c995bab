import { visibleLines } from "../../openapi/text/visible.js";
import { askedFor } from "../report/tally.js";
import type { Report, ReportedCheck } from "../report/report.js";
import { inputHeldWords } from "../report/words.js";

/** The report as JUnit XML: a test suite for each area, a test case for each check that was asked for. */
export function junitXml(report: Report): string {
  const { areas, checks, run, suite, preparation, troubles } = askedFor(report);
  const suites = areas.map(({ area, counts }) => {
    const ofArea = checks.filter((check) => check.area === area);
    return element(
      "testsuite",
      {
        name: area,
        tests: ofArea.length,
        failures: counts.failed,
        errors: counts.blocked + counts["not-run"],
        skipped: counts["not-declared"],
        time: seconds(sum(ofArea)),
        timestamp: run.startedAt,
      },
      ofArea.map(testCase),
    );
  });
  const all = checks.map(({ level }) => level);
  const count = (...levels: string[]) => all.filter((level) => levels.includes(level)).length;
  const preparing = [
    ...(preparation === undefined
      ? []
      : [
          element("failure", { message: `${preparation.clause}: ${preparation.statement}` }, [
            escape(preparation.seen),
          ]),
        ]),
    ...troubles.map((trouble) => element("error", { message: trouble }, [])),
  ];
  if (preparing.length > 0)
    suites.unshift(
      element(
        "testsuite",
        {
          name: "run",
          tests: 1,
          failures: preparation === undefined ? 0 : 1,
          errors: preparation === undefined ? 1 : 0,
          skipped: 0,
          time: 0,
          timestamp: run.startedAt,
        },
        [
          element("testcase", { classname: "run", name: "the run as a whole", time: 0 }, [
            // one failure or error a test case is what readers expect
            preparing[0] ?? "",
          ]),
        ],
      ),
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    "testsuites",
    {
      name: `${suite.name} ${suite.version}`,
      tests: checks.length + (preparing.length > 0 ? 1 : 0),
      failures: count("failed") + (preparation === undefined ? 0 : 1),
      errors: count("blocked", "not-run") + (preparation === undefined && troubles.length > 0 ? 1 : 0),
      skipped: count("not-declared"),
      time: seconds(run.durationMs),
    },
    suites,
  )}\n`;
}

function testCase({
  area,
  id,
  title,
  clauses,
  level,
  reason = "",
  durationMs,
  failure,
  inputHeld,
}: ReportedCheck): string {
  const name = `${title} (${clauses.join(", ")})`;
  const inner = (): string[] => {
    switch (level) {
      case "passed":
        return [];
      case "failed": {
        const details =
          failure === undefined
            ? reason
            : [
                ...(inputHeld === undefined ? [] : [inputHeldWords]),
                `${failure.clause} (${failure.part}): ${failure.statement}`,
                `expected: ${failure.expected}`,
                `seen: ${failure.seen}`,
                ...(failure.counterexample === undefined
                  ? []
                  : [`smallest input: ${failure.counterexample}`]),
                ...(failure.replay === undefined ? [] : [`replay: --replay ${failure.replay}`]),
                "",
                failure.curl,
              ].join("\n");
        return [element("failure", { message: reason, type: failure?.clause ?? "" }, [escape(details)])];
      }
      case "not-declared":
        return [element("skipped", { message: reason }, [])];
      default:
        return [element("error", { message: `${level}: ${reason}` }, [])];
    }
  };
  return element("testcase", { classname: `${area}.${id}`, name, time: seconds(durationMs) }, inner());
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

/** XML 1.0 has no way to write controls; {@link visibleLines} leaves none. */
function escape(content: string): string {
  return visibleLines(content).replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

function sum(checks: readonly ReportedCheck[]): number {
  return checks.reduce((total, { durationMs }) => total + durationMs, 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
