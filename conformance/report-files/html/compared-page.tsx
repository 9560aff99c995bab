import { escapeInvisibleInJson } from "../../../openapi/text/escape-invisible.js";
import type { CompareReport, ReportedCause } from "../../compare/compare-report.js";
import {
  formatFigure,
  formatBrokenClauses,
  formatOperations,
  formatVerdict,
} from "../../compare/format-comparison.js";
import { CurlScript } from "./failures.js";
import { Prose, Table, DescriptionList } from "../../../openapi/html/components.js";
import { ComparedExchangeList } from "./exchanges.js";
import { listRunFacts, renderPage, type ReportSection } from "./page.js";
import { formatCount } from "../../../openapi/text/format-count.js";

/** Maximum number of operations that the table names for a cause; the history of the cause names all. */
const maxOperations = 4;

const verdictClass = {
  same: "passed",
  accepted: "passed",
  different: "failed",
  inconclusive: "not-run",
} as const;

const stateClass = { same: "passed", differs: "failed", "not compared": "not-run" } as const;

/** Renders a comparison as one page: the operations, the causes, and a history for each cause. */
export function renderComparisonPage(given: CompareReport): string {
  const report = escapeInvisibleInJson(given);
  const { suite, verdict, targets, run, causes, omitted, errors, acceptedNotFound } = report;
  const [first = "", second = ""] = targets.map(({ title }) => title);
  return renderPage({
    title: `${verdict}: ${first} and ${second}`,
    header: (
      <header class={verdictClass[verdict]}>
        <p class="kicker">Comparison</p>
        <h1>{verdict}</h1>
        <p class="because">
          {formatVerdict(report)}; {formatFigure(report)}
        </p>
        <DescriptionList
          class="facts"
          of={[
            ["First", first],
            ["Second", second],
            ["Request sequences", run.sequences],
            ["Seed", `${run.seed}, ${formatCount(run.runs, "run")} per property`],
            ["Only", run.only.join(", ") || undefined],
            ...listRunFacts(report),
          ]}
        />
      </header>
    ),
    sections: [
      renderOperations(report),
      renderCauses(report),
      renderReasons(
        "gone",
        "Accepted causes that were not found",
        acceptedNotFound.map((id) => ({ id, reason: "" })),
      ),
      causes.length === 0
        ? undefined
        : { id: "histories", title: "One request sequence for each cause", body: causes.map(renderCause) },
      renderReasons("errors", "Not compared", errors),
      renderReasons("left-out", "Left out", omitted),
    ],
    footer: (
      <>
        {suite.name} {suite.version}. Machine-readable: <code>compared.json</code> ({report.format}
        ). Names of environment variables such as <code>$OWNER_TOKEN</code> stand for secrets.
      </>
    ),
  });
}

/** Renders every operation, with the causes of the differences in its responses. */
function renderOperations({ operations }: CompareReport): ReportSection {
  return {
    id: "operations",
    title: "Operations",
    body: (
      <ul class="legend operations-grid">
        {operations.map(({ operationId, state, responses, causes }) => (
          <li>
            <code>{operationId}</code> <span class={`badge ${stateClass[state]}`}>{state}</span>{" "}
            {responses > 0 && formatCount(responses, "response")}{" "}
            {causes.map((number) => (
              <a href={`#cause-${number}`}>{number}</a>
            ))}
          </li>
        ))}
      </ul>
    ),
  };
}

function renderCauses({ causes, counts }: CompareReport): ReportSection {
  return {
    id: "causes",
    title: "Causes of differences",
    body: (
      <>
        {causes.length === 0 ? (
          <p>No differences were found.</p>
        ) : (
          <Table
            label="Causes of differences"
            class="causes"
            head={["Cause", "Affected responses", "Status", "What the specification says"]}
            rows={causes.map((cause) => [
              <>
                <a href={`#cause-${cause.number}`}>{cause.number}.</a> <code>{cause.cause}</code>
              </>,
              formatOperations(cause, maxOperations),
              cause.statuses.join(", "),
              summarizeJudgment(cause),
            ])}
          />
        )}
        {counts.notReproduced > 0 && (
          <p>Not counted, because they did not recur: {formatCount(counts.notReproduced, "difference")}.</p>
        )}
      </>
    ),
  };
}

function summarizeJudgment({ accepted, brokenClauses, notJudged, gaps }: ReportedCause): string {
  if (accepted !== undefined) return `accepted: ${accepted}`;
  if (brokenClauses.length === 0 && notJudged.length > 0) return "not judged";
  if (brokenClauses.length === 0 && gaps.length > 0) return `perhaps the gap ${gaps.join(" or ")}`;
  return brokenClauses.length === 0
    ? "no verdict"
    : `breaks ${brokenClauses.map(({ clause }) => clause).join(", ")}`;
}

function renderCause(cause: ReportedCause) {
  const { number, first, second, source, title, exchanges, omittedExchanges, curl, isReproduced, accepted } =
    cause;
  const id = `cause-${number}`;
  return (
    <article class="failure" aria-labelledby={id}>
      <h3 id={id}>
        <span class="number">{number}.</span> <code>{cause.cause}</code>
      </h3>
      <p class="source">
        {formatOperations(cause)}. From <code>{source}</code>: <Prose text={title} />.{" "}
        {!isReproduced && "This difference was not confirmed by a second run."}
      </p>
      <DescriptionList
        class="verdicts"
        of={[
          ["Accepted", accepted],
          ["First", <code>{first ?? "nothing"}</code>],
          ["Second", <code>{second ?? "nothing"}</code>],
          ["What the specification says", <Prose text={formatBrokenClauses(cause)} />],
        ]}
      />
      <details>
        <summary>
          {formatCount(exchanges.length, "request")}
          {omittedExchanges > 0 && `, after ${formatCount(omittedExchanges, "other")}`}
        </summary>
        <ComparedExchangeList of={exchanges} start={omittedExchanges + 1} />
      </details>
      <h4>Reproduce with curl</h4>
      <CurlScript curl={curl} />
    </article>
  );
}

function renderReasons(
  id: string,
  title: string,
  list: readonly { readonly id: string; readonly reason: string }[],
): ReportSection | undefined {
  if (list.length === 0) return undefined;
  const reasons = list.map((entry) => [<code>{entry.id}</code>, <Prose text={entry.reason} />] as const);
  return { id, title, body: <DescriptionList class="reasons" of={reasons} /> };
}
