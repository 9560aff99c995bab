import { escapeInvisibleInJson } from "../../../openapi/text/escape-invisible.js";
import { DescriptionList } from "../../../openapi/html/components.js";
import type { ReportedObservation } from "../../observe/reported-observation.js";
import { formatObservationCounts, listObservedFindings } from "../../report/observed-findings.js";
import { Findings } from "./findings.js";
import { listRunFacts, renderPage, type ReportedRun, type ReportSection } from "./page.js";

/** The parts of a report that the page shows. */
export interface ObservationReport extends ReportedRun {
  readonly target: { readonly title: string; readonly baseUrl: string };
  readonly observations: readonly ReportedObservation[];
}

/** Renders the observations as one page, like a certification report. */
export function renderObservationsPage(report: ObservationReport): string {
  const escaped = escapeInvisibleInJson(report);
  const { suite, target, observations } = escaped;
  return renderPage({
    title: `Observed: ${target.title}`,
    header: (
      <header>
        <p class="kicker">Observed deployment</p>
        <h1>{target.title}</h1>
        <p class="because">{formatObservationCounts(observations)}</p>
        <DescriptionList
          class="facts"
          of={[["Base URL", <code>{target.baseUrl}</code>], ...listRunFacts(escaped)]}
        />
      </header>
    ),
    sections: [renderObservationsSection(observations)],
    footer: (
      <>
        {suite.name} {suite.version}. To start an emulator with these answers, write them with{" "}
        <code>observe --write-profile</code> and pass the file to <code>start --profile</code>.
      </>
    ),
  });
}

/** Renders how the deployment behaves where the specification is silent; returns no section if there are no observations. */
export function renderObservationsSection(
  observations: readonly ReportedObservation[] | undefined,
): ReportSection | undefined {
  if (observations === undefined) return undefined;
  return {
    id: "observed",
    title: "How this deployment behaves where the specification is silent",
    body: (
      <>
        <p>Any answer conforms, because the specification leaves these questions open.</p>
        {listObservedFindings(observations).map(
          ({ title, findings }) =>
            findings.length > 0 && (
              <>
                <h3>{title}</h3>
                <Findings of={findings} />
              </>
            ),
        )}
      </>
    ),
  };
}
