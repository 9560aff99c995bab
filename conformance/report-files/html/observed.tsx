import { escapeInvisibleInJson } from "../../../openapi/text/escape-invisible.js";
import { formatCounts } from "../../observe/observed-text.js";
import { isBroken, type ReportedObservation } from "../../observe/reported-observation.js";
import { Prose, Table, DescriptionList } from "../../../openapi/html/components.js";
import { ExchangeList } from "./exchanges.js";
import { listRunFacts, renderPage, Reasons, type ReportedRun, type ReportSection } from "./page.js";
import { formatCount } from "../../../openapi/text/format-count.js";

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
        <p class="because">{formatCounts(observations)}</p>
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
  const of = (kind: ReportedObservation["kind"]) =>
    observations.filter((observation) => observation.kind === kind);
  const others = of("other");
  const answers = of("answer").sort((a, b) => Number(a.isDefault) - Number(b.isDefault));
  const reasons = (list: readonly ReportedObservation[]) =>
    list.map(({ gap, reason = "" }) => [<code>{gap}</code>, <Prose text={reason} />] as const);
  return {
    id: "observed",
    title: "How this deployment behaves where the specification is silent",
    note: others.length === 0 ? undefined : formatCount(others.length, "other answer"),
    body: (
      <>
        <p>Any answer conforms, because the specification leaves these questions open.</p>
        {others.length > 0 && <h3>Answers that the gaps do not list</h3>}
        {others.map(otherAnswer)}
        <h3>Answers</h3>
        {answers.length === 0 ? (
          <p>No answer was found.</p>
        ) : (
          <Table
            label="Answers"
            head={["Gap", "Part", "Question", "Answer"]}
            rows={answers.map(({ gap, part, question, answer, isDefault }) => {
              const code = <code>{JSON.stringify(answer)}</code>;
              const own = (
                <>
                  <strong>{code}</strong> (not the default)
                </>
              );
              return [<code>{gap}</code>, part, <Prose text={question} />, isDefault === true ? code : own];
            })}
          />
        )}
        <Reasons
          title="Broken clauses"
          explanation="These gaps are undecided, because the deployment broke a clause."
          of={reasons(observations.filter(isBroken))}
        />
        <Reasons
          title="Undecided"
          of={reasons(of("undecided").filter((observation) => !isBroken(observation)))}
        />
        <Reasons
          title="Not declared: the target file does not declare what these observations need"
          of={reasons(of("not declared"))}
        />
      </>
    ),
  };
}

function otherAnswer({ gap, question, actual = "", expected = "", exchanges }: ReportedObservation) {
  return (
    <>
      <h4>
        <code>{gap}</code>
      </h4>
      <p>
        <Prose text={question} />
      </p>
      <DescriptionList
        class="reasons"
        of={[
          ["Actual", actual],
          ["Expected", expected],
        ]}
      />
      <details>
        <summary>{exchanges.length} exchanges</summary>
        <ExchangeList of={exchanges} />
      </details>
    </>
  );
}
