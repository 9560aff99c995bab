import type { Child } from "hono/jsx";
import { escapeInvisibleInJson } from "../../../openapi/text/escape-invisible.js";
import { countClausesByState } from "../../report/count-results.js";
import type { Report, ReportedSpecificationPart } from "../../report/report.js";
import { explainVerdict, groupByReason, listFailures, outcomeLabels } from "../../report/outcome-labels.js";
import type { CheckOutcome } from "../../run/result.js";
import type { Verdict } from "../../run/verdict.js";
import { renderAccessSection } from "./access.js";
import { renderFailuresSection } from "./failures.js";
import { renderObservationsSection } from "./observed.js";
import { Prose, Table, DescriptionList } from "../../../openapi/html/components.js";
import {
  Badge,
  Badges,
  CollapsibleSection,
  listRunFacts,
  renderPage,
  outcomeSymbols,
  type ReportSection,
} from "./page.js";
import { formatCount } from "../../../openapi/text/format-count.js";

export interface HtmlReportOptions {
  /** The command line without options that select what to run, for the command that replays a failure. */
  readonly command: string;
}

/** The report as one page. */
export function renderHtmlReport(given: Report, { command }: HtmlReportOptions): string {
  const report = escapeInvisibleInJson(given);
  const { suite, format } = report;
  return renderPage({
    title: `${report.verdict}: ${report.target.title}`,
    header: <Header report={report} />,
    sections: [
      renderFailuresSection(report, escapeInvisibleInJson(command)),
      openSection(report),
      renderObservationsSection(report.observations),
      renderClausesSection(report),
      renderAccessSection(report),
      renderOperationsSection(report),
      renderChecksSection(report),
    ],
    footer: (
      <>
        {suite.name} {suite.version}. Machine-readable: <code>report.json</code> ({format}),{" "}
        <code>junit.xml</code>; all requests and responses: <code>exchanges.har</code>. Names of environment
        variables such as <code>$OWNER_TOKEN</code> stand for secrets.
      </>
    ),
  });
}

/** The class that colours a verdict. */
const verdictStates: Readonly<Record<Verdict, CheckOutcome>> = {
  conformant: "passed",
  // A partial run has no verdict on the deployment.
  partial: "not-run",
  "not conformant": "failed",
  inconclusive: "not-run",
};

/** Renders the verdict, its reason and the facts of the run. */
function Header({ report }: { readonly report: Report }) {
  const { verdict, counts, errors, target, run, parts, checks } = report;
  const state = verdictStates[verdict];
  const clauses = parts.flatMap((part) => part.clauses);
  const { shard, mergedFrom } = run;
  return (
    <header class={state}>
      <p class="kicker">Conformance report</p>
      <h1>
        <span aria-hidden="true">{outcomeSymbols[state]}</span> {capitalize(verdict)}
      </h1>
      <p class="because">{capitalize(explainVerdict(report))}.</p>
      {/* The explanation of an inconclusive verdict contains the errors. */}
      {errors.length > 0 && verdict !== "inconclusive" && (
        <ul class="errors">
          {errors.map((trouble) => (
            <li>{trouble}</li>
          ))}
        </ul>
      )}
      <DescriptionList
        class="facts"
        of={[
          [`${checks.length} checks`, <Badges of={counts} />],
          [`${clauses.length} clauses`, <Badges of={countClausesByState(clauses)} />],
          ["Target", target.title],
          ["Base URL", <code>{target.baseUrl}</code>],
          ["Seed", `${run.seed}, ${formatCount(run.runs, "run")} per property`],
          ["Only", run.only.join(", ") || undefined],
          ["Shard", shard && `${shard.index} of ${shard.count}`],
          ["Merged from", mergedFrom && `${mergedFrom} shards`],
          ["Not selected", run.notSelected === 0 ? undefined : `${run.notSelected} checks`],
          ...listRunFacts(report),
        ]}
      />
    </header>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Renders what remains open, with reasons: not declared, blocked, not run, left behind. */
function openSection(report: Report): ReportSection {
  const { counts, leftBehind: left, parts } = report;
  const clauses = parts.flatMap((part) => part.clauses);
  const blocked = clauses.filter(({ state }) => state === "blocked").length;
  const open = counts["not-declared"] + counts.blocked + counts["not-run"];
  return {
    id: "open",
    title: "What was not checked",
    note: open === 0 ? undefined : formatCount(open, "check"),
    body: (
      <>
        {open === 0 && <p>Every selected check ran.</p>}
        {blocked > 0 && (
          <p>
            {formatCount(blocked, "clause")} {blocked === 1 ? "is" : "are"} blocked, because a check found
            another clause broken or is blocked itself. See{" "}
            <a href="#clauses">Clauses by part of the specification</a>.
          </p>
        )}
        {Object.entries(explanations).map(([level, explanation]) => {
          const reasons = [...groupByReason(report, level as CheckOutcome)];
          return (
            reasons.length > 0 && (
              <>
                <h3>{capitalize(outcomeLabels[level as CheckOutcome])}</h3>
                <p>{explanation}</p>
                <DescriptionList
                  class="reasons"
                  of={reasons.map(([reason, ids]) => [<Prose text={reason} />, checkList(ids)])}
                />
              </>
            )
          );
        })}
        <h3>Resources left behind</h3>
        {left.length === 0 ? (
          <p>All resources that the run created have been removed.</p>
        ) : (
          <>
            <p>
              These resources could not be removed. To try again, run <code>certify --cleanup LEDGER</code>.
            </p>
            <Table
              label="Resources left behind"
              head={["Name", "Kind", "Reason"]}
              rows={left.map(({ kind, name, reason }) => [<code>{name}</code>, kind, reason])}
            />
          </>
        )}
      </>
    ),
  };
}

/** Why checks may have these outcomes. */
const explanations = {
  "not-declared":
    "The target file does not declare what these checks need. These checks do not affect the verdict.",
  blocked: "Another check already reports the cause, or a check that must pass first did not pass.",
  "not-run": "These checks were not started or did not finish.",
};

/** Renders checks as links; a long list is collapsed. */
function checkList(checks: readonly string[]): Child {
  const links = <ul class="links">{checks.map((id) => checkItem(id, "check"))}</ul>;
  return checks.length <= 6 ? (
    links
  ) : (
    <details>
      <summary>{checks.length} checks</summary>
      {links}
    </details>
  );
}

function checkItem(id: string, to: "check" | "failure", more?: string): Child {
  return (
    <li>
      <a href={`#${to}-${id}`}>
        <code>{id}</code>
      </a>{" "}
      {more}
    </li>
  );
}

/** Renders every clause by part of the specification, with its state and the checks that exercised it. */
function renderClausesSection(report: Report): ReportSection {
  const levels = new Map(report.checks.map(({ id, level }) => [id, level]));
  const broken = new Map(listFailures(report).map(({ id, failure }) => [id, failure.clause]));
  return {
    id: "clauses",
    title: "Clauses by part of the specification",
    body: report.parts.map(({ part, title, counts, clauses }) => (
      <CollapsibleSection title={`${part} ${title}`} summary={<Badges of={counts} />}>
        <Table
          label={`Clauses of part ${part}`}
          class="clauses"
          head={["Clause", "State", "Statement", "Evidence"]}
          ids={clauses.map(({ id }) => `clause-${id}`)}
          rows={clauses.map((clause) => [
            <>
              {clause.id}
              {clause.part !== part && <span class="rule">{clause.part}</span>}
            </>,
            <Badge state={clause.state} />,
            <Prose text={clause.statement} />,
            describeEvidence(clause, broken, levels),
          ])}
        />
      </CollapsibleSection>
    )),
  };
}

/** Renders the checks that exercise a clause, with their outcomes unless they passed, and other checks that found it broken. */
function describeEvidence(
  { id, checks }: ReportedSpecificationPart["clauses"][number],
  broken: ReadonlyMap<string, string>,
  levels: ReadonlyMap<string, CheckOutcome>,
): Child {
  const all = new Set([...checks, ...[...broken.keys()].filter((check) => broken.get(check) === id)]);
  if (all.size === 0) return "no check";
  return (
    <ul class="links">
      {[...all].map((check) => {
        const found = broken.get(check);
        const level = levels.get(check) ?? "passed";
        if (found === undefined)
          return checkItem(check, "check", level === "passed" ? undefined : `(${outcomeLabels[level]})`);
        return checkItem(check, "failure", found === id ? "(failed)" : `(failed because of ${found})`);
      })}
    </ul>
  );
}

/** Renders the number of requests by operation. */
function renderOperationsSection({ operations }: Report): ReportSection {
  const uncalled = operations.filter(({ responses }) => responses === 0).length;
  return {
    id: "operations",
    title: "Requests by operation",
    note: uncalled === 0 ? undefined : `${uncalled} not called`,
    body: (
      <>
        <p>
          The column Valid counts requests that the deployment had to accept and did accept. The column
          Invalid counts requests with one deliberate mistake.
        </p>
        <Table
          label="Requests by operation"
          class="operations"
          head={["Operation", ["Valid", "count"], ["Invalid", "count"]]}
          rows={operations.map(({ operationId, valid, invalid }) => [
            <code>{operationId}</code>,
            valid,
            invalid,
          ])}
        />
      </>
    ),
  };
}

/** Formats a duration with three digits. */
function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1000) return `${Number((milliseconds / 1000).toPrecision(3))} s`;
  return `${Number(milliseconds.toPrecision(milliseconds < 1 ? 2 : 3))} ms`;
}

/** Renders every check by area with its outcome; the evidence of the clauses links here. */
function renderChecksSection({ areas, checks }: Report): ReportSection {
  return {
    id: "checks",
    title: "Checks by area",
    body: areas.map(({ area, counts }) => {
      const ofArea = checks.filter((check) => check.area === area);
      return (
        <CollapsibleSection title={area} summary={<Badges of={counts} />}>
          <Table
            label={`Checks of ${area}`}
            class="checks"
            head={["Check", "Outcome", "Clauses", ["Requests", "count"], ["Duration", "count"]]}
            ids={ofArea.map(({ id }) => `check-${id}`)}
            rows={ofArea.map(({ id, title, level, reason, clauses, requests, durationMs, failure }) => [
              <>
                <Prose text={title} />
                <span class="rule">{id}</span>
              </>,
              <>
                <Badge state={level} />{" "}
                {failure === undefined ? (
                  <span class="why">
                    <Prose text={reason ?? ""} />
                  </span>
                ) : (
                  <a href={`#failure-${id}`}>see the failure</a>
                )}
              </>,
              clauses.map((clause) => (
                <>
                  <a href={`#clause-${clause}`}>{clause}</a>{" "}
                </>
              )),
              requests,
              formatMilliseconds(durationMs),
            ])}
          />
        </CollapsibleSection>
      );
    }),
  };
}
