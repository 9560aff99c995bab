import type { Child } from "hono/jsx";
import { truncateBody } from "../../client/truncate-body.js";
import { type ValueDifference, markDifference, type MarkedDifference } from "../../report/differences.js";
import type { Report, ReportedFailure } from "../../report/report.js";
import type { ReportedComparison } from "../../report/differences.js";
import { listFailures, replayInputPassedNote, type FailedCheck } from "../../report/outcome-labels.js";
import { Prose, Table, DescriptionList } from "../../../openapi/html/components.js";
import { formatCount } from "../../../openapi/text/format-count.js";
import { ExchangeList } from "./exchanges.js";
import { Body, Code, truncateText, maxTextLength, type ReportSection, Text } from "./page.js";

/** If there are more exchanges than this, only the last ones are shown and the earlier ones are collapsed. */
const maxExchanges = 12;
const shownExchanges = 8;

/** Renders the failures: the clause, the expected and received values, the exchanges, and how to reproduce each failure. */
export function renderFailuresSection(report: Report, command: string): ReportSection | undefined {
  const failures = listFailures(report);
  if (failures.length === 0) return undefined;
  const { baseUrl } = report.target;
  return {
    id: "failures",
    title: "Failures",
    note: String(failures.length),
    body: (
      <>
        {failures.length >= 3 && <Index failures={failures} />}
        {failures.map((check, index) => (
          <Article check={check} number={index + 1} command={command} baseUrl={baseUrl} />
        ))}
      </>
    ),
  };
}

/** Renders an index if there are many failures, because one fault of a deployment may fail dozens of checks. */
function Index({ failures }: { readonly failures: readonly FailedCheck[] }) {
  const clauses = new Map(failures.map(({ failure: { clause, statement } }) => [clause, statement]));
  return (
    <ul class="index">
      {[...clauses].map(([clause, statement]) => (
        <li>
          <a href={`#clause-${clause}`}>{clause}</a> <Prose text={statement} />
          <span class="checks">
            {failures
              .filter(({ failure }) => failure.clause === clause)
              .map(({ id }) => (
                <>
                  <a href={`#failure-${id}`}>
                    <code>{id}</code>
                  </a>{" "}
                </>
              ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ArticleProps {
  readonly check: FailedCheck;
  readonly number: number;
  readonly command: string;
  readonly baseUrl: string;
}

function Article({ check, number, command, baseUrl }: ArticleProps) {
  const { id, title, failure, inputPassed } = check;
  const { clause, part, statement, expected, actual, curl, replay } = failure;
  const { comparison, inputs, sameAs } = failure;
  // Without differences, the words of `expected` and `actual` are shown.
  const isCompared = comparison !== undefined && comparison.differenceCount > 0;
  const exchanges = failure.exchanges.map((first) => ({ first }));
  const earlier = exchanges.length > maxExchanges ? exchanges.slice(0, -shownExchanges) : [];
  return (
    <article class="failure" aria-labelledby={`failure-${id}`}>
      <h3 id={`failure-${id}`}>
        <span class="number">{number}.</span> <a href={`#clause-${clause}`}>{clause}</a>{" "}
        <Prose text={statement} />
      </h3>
      <p class="source">
        Part {part}. Check: <Prose text={title} />{" "}
        <a href={`#check-${id}`}>
          <code>{id}</code>
        </a>
      </p>
      {sameAs !== undefined && (
        <p>
          The response is the same as in{" "}
          <a href={`#failure-${sameAs}`}>
            <code>{sameAs}</code>
          </a>
          .
        </p>
      )}
      {inputPassed === true && <p>In this replay, {replayInputPassedNote}.</p>}
      {isCompared && <ComparisonView of={comparison} />}
      <DescriptionList
        class="verdicts"
        of={[
          ["Expected", isCompared ? undefined : <Text text={expected} />],
          ["Actual", isCompared ? undefined : <Text text={actual} />],
          ["Smallest input found", inputs && <Inputs of={inputs} />],
        ]}
      />
      <h4>Exchanges</h4>
      {earlier.length > 0 && (
        <details>
          <summary>{earlier.length} earlier exchanges</summary>
          <ExchangeList of={earlier} baseUrl={baseUrl} />
        </details>
      )}
      <ExchangeList of={exchanges.slice(earlier.length)} start={earlier.length + 1} baseUrl={baseUrl} />
      <h4>Replay</h4>
      <Code
        text={`${command} --replay ${replay}`}
        label="Command that replays this failure"
        kind="block copyable"
      />
      <CurlScript curl={curl} />
    </article>
  );
}

function Inputs({ of }: { readonly of: NonNullable<ReportedFailure["inputs"]> }) {
  return (
    <DescriptionList
      class="inputs"
      of={of.map(({ name, value }) => [<code>{name}</code>, <Body text={value} what={name} />])}
    />
  );
}

/** Renders a bash script that can be selected with one click. */
export function CurlScript({ curl }: { readonly curl: string }) {
  if (curl.length > maxTextLength)
    return (
      <p>
        The curl script has {curl.length} characters; it is the <code>curl</code> field in the JSON report.
      </p>
    );
  return (
    <details>
      <summary>Reproduce with curl: bash script, {curl.trimEnd().split("\n").length} lines</summary>
      <p class="hint">Click to select the whole script.</p>
      <Code text={curl} label="Bash script that sends the same requests" kind="block copyable" />
    </details>
  );
}

/** Renders the differences between two values, with marks, and both values in full. */
function ComparisonView({ of }: { readonly of: ReportedComparison }) {
  const { what, expected, actual, differences, differenceCount } = of;
  const more = differenceCount - differences.length;
  const values = [
    ["Expected", expected],
    ["Actual", actual],
  ] as const;
  return (
    <>
      <p class="differs">
        {what}: {differenceCount === 1 ? "one difference" : `${differenceCount} differences`}
      </p>
      <Table
        label="Differences"
        class="differences"
        head={["Place", "Expected", "Actual"]}
        rows={differences.map(listCells)}
      />
      {more > 0 && <p>And {formatCount(more, "more difference")}.</p>}
      <details>
        <summary>Both values</summary>
        <div class="both">
          {values.map(([title, text]) => (
            <div>
              <h5>{title}</h5>
              {text === undefined ? (
                <p>nothing</p>
              ) : (
                <Code text={truncateText(text)} label={`${title} value`} />
              )}
            </div>
          ))}
        </div>
      </details>
    </>
  );
}

/** Returns the cells for a difference: its place and both values, with the difference marked. */
function listCells({ path, expected, actual }: ValueDifference): Child[] {
  const marked =
    expected === undefined || actual === undefined ? undefined : markDifference(expected, actual);
  return [
    path === "" ? "the value" : <code>{path}</code>,
    renderValue(expected, marked?.expected, "expected") ?? <b class="absent">nothing</b>,
    renderValue(actual, marked?.actual, "actual") ?? <b class="absent">missing</b>,
  ];
}

function renderValue(
  text: string | undefined,
  marked: MarkedDifference | undefined,
  side: "expected" | "actual",
) {
  if (text === undefined) return undefined;
  if (marked === undefined) return <code>{truncateBody(text, 400)}</code>;
  const { before, differs, after } = marked;
  return (
    <code>
      {before}
      {differs !== "" && <mark class={side}>{differs}</mark>}
      {after}
    </code>
  );
}
