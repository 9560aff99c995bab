import { escapeInvisibleInJson } from "../../../openapi/text/escape-invisible.js";
import { DescriptionList } from "../../../openapi/html/components.js";
import { formatCount } from "../../../openapi/text/format-count.js";
import type { CompareReport } from "../../compare/compare-report.js";
import { formatFigures, formatVerdict, listComparedFindings } from "../../compare/format-comparison.js";
import { Findings } from "./findings.js";
import { listRunFacts, renderPage } from "./page.js";

const verdictClass = {
  same: "passed",
  accepted: "passed",
  different: "failed",
  inconclusive: "not-run",
} as const;

/** Renders a comparison as one page. */
export function renderComparisonPage(given: CompareReport): string {
  const report = escapeInvisibleInJson(given);
  const { suite, verdict, targets, run } = report;
  const [first = "", second = ""] = targets.map(({ title }) => title);
  return renderPage({
    title: `${verdict}: ${first} and ${second}`,
    header: (
      <header class={verdictClass[verdict]}>
        <p class="kicker">Comparison</p>
        <h1>{verdict}</h1>
        <p class="because">{[formatVerdict(report), ...formatFigures(report)].join("; ")}</p>
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
    sections: listComparedFindings(report).map(({ title, findings }, index) =>
      findings.length === 0
        ? undefined
        : {
            id: `list-${index + 1}`,
            title,
            note: String(findings.length),
            body: <Findings of={findings} />,
          },
    ),
    footer: (
      <>
        {suite.name} {suite.version}. Machine-readable: <code>compared.json</code> ({report.format}
        ). Names of environment variables such as <code>$OWNER_TOKEN</code> stand for secrets.
      </>
    ),
  });
}
