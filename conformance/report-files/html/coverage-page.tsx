import {
  type CoverageReport,
  getCoveragePercentage,
  type ReportedSituation,
} from "../../../openapi/situations/coverage-report.js";
import { DescriptionList } from "../../../openapi/html/components.js";
import { Code, CollapsibleSection, renderPage, outcomeSymbols, type ReportSection } from "./page.js";

/** The class and the words for each state of a situation. */
const states = {
  met: ["passed", "covered"],
  unmet: ["failed", "not covered"],
  ignored: ["not-declared", "ignored"],
} as const;

/** Renders contract coverage as one page: scenarios, then operations by area, with recipes for the uncovered situations. */
export function renderCoveragePage(report: CoverageReport): string {
  const { counts, situations, contractVersion } = report;
  const areas = [...new Set(situations.map(({ area }) => area))];
  const ofOperations = situations.filter(({ group }) => group !== "scenarios");
  const scenarios = areas.flatMap((area) =>
    situations.filter((situation) => situation.group === "scenarios" && situation.area === area),
  );
  return renderPage({
    title: "Contract coverage",
    header: (
      <header>
        <p class="kicker">Data service, contract {contractVersion}</p>
        <h1>Contract coverage</h1>
        <p class="because">
          This page shows which service situations your tests have covered. Open an uncovered situation to see
          requests that would cover it and code that sends them. Run the code in a test that uses the{" "}
          <code>dataService</code> fixture, which provides a separate namespace with the demo data. Then add
          assertions about how your client handles the responses.
        </p>
        <DescriptionList
          class="facts"
          of={Object.entries(counts).map(([group, count]) => [
            group,
            `${count.met} of ${count.total}, ${getCoveragePercentage(count)}%`,
          ])}
        />
      </header>
    ),
    sections: [
      {
        id: "scenarios",
        title: "Scenarios",
        note: formatFigure(scenarios),
        body: <Groups of={scenarios} by="area" />,
      },
      ...areas.map((area): ReportSection => {
        const ofArea = ofOperations.filter((situation) => situation.area === area);
        return {
          id: area.toLowerCase(),
          title: area,
          note: formatFigure(ofArea),
          body: <Groups of={ofArea} by="operationId" />,
        };
      }),
    ],
    footer: (
      <>
        Machine-readable: <code>data-service coverage --json</code>.
      </>
    ),
  });
}

/** Renders situations by area or by operation. */
function Groups({
  of,
  by,
}: {
  readonly of: readonly ReportedSituation[];
  readonly by: "area" | "operationId";
}) {
  const titles = [...new Set(of.map((situation) => situation[by]))];
  return (
    <>
      {titles.map((title) => {
        const situations = of.filter((situation) => situation[by] === title);
        return (
          <CollapsibleSection title={title} summary={formatFigure(situations)}>
            {situations.map((situation) => (
              <SituationItem of={situation} />
            ))}
          </CollapsibleSection>
        );
      })}
    </>
  );
}

function SituationItem({ of }: { readonly of: ReportedSituation }) {
  const { id, title, state, recipe, code, clause } = of;
  const [symbol, words] = states[state];
  const heading = (
    <>
      <span class={`badge ${symbol}`}>
        <span aria-hidden="true">{outcomeSymbols[symbol]}</span> {words}
      </span>{" "}
      {title}
      {clause !== undefined && ` (${clause})`} <code>{id}</code>
    </>
  );
  if (state !== "unmet") return <p class="line">{heading}</p>;
  return (
    <details>
      <summary>{heading}</summary>
      <Code text={recipe.join("\n")} label={`Requests that cover ${id}`} />
      <Code text={code} label={`Code that covers ${id}`} kind="block copyable" />
    </details>
  );
}

function formatFigure(situations: readonly ReportedSituation[]): string {
  const counted = situations.filter(({ state }) => state !== "ignored");
  return `${counted.filter(({ state }) => state === "met").length} of ${counted.length}`;
}
