import type { ReportedObservation } from "../observe/reported-observation.js";
import { type Finding, type FindingList, formatFindings } from "./findings.js";

type IsListed = (observation: ReportedObservation) => boolean;

const isBroken: IsListed = ({ brokenClause }) => brokenClause !== undefined;
const isNotDefault: IsListed = ({ isDefault }) => isDefault === false;

/** The lists of observations, in order: first the answers that no profile can express. */
const lists: readonly (Omit<FindingList, "findings"> & { readonly isListed: IsListed })[] = [
  { title: "Answers that the gaps do not list", isListed: ({ kind }) => kind === "other" },
  { title: "Answers that differ from the default profile", isListed: isNotDefault },
  {
    title: "Answers of the default profile",
    isListed: (observation) => observation.kind === "answer" && !isNotDefault(observation),
    inTerminal: "hidden",
  },
  {
    title: "Broken clauses: these gaps are undecided, because the deployment broke a clause",
    isListed: isBroken,
  },
  {
    title: "Undecided",
    isListed: (observation) => observation.kind === "undecided" && !isBroken(observation),
  },
  {
    title: "Not declared: the target file does not declare what these observations need",
    isListed: ({ kind }) => kind === "not declared",
  },
];

export function listObservedFindings(observations: readonly ReportedObservation[]): readonly FindingList[] {
  return lists.map(({ isListed, ...list }) => ({
    ...list,
    findings: observations.filter(isListed).map(toFinding),
  }));
}

function toFinding(observation: ReportedObservation): Finding {
  const { gap: name, kind, question, answer, reason = "", actual = "", expected = "" } = observation;
  if (kind === "answer") return { name, notes: [`${question} ${JSON.stringify(answer)}`] };
  if (kind !== "other") return { name, notes: [reason] };
  return {
    name,
    notes: [question],
    values: [
      ["actual", actual],
      ["expected", expected],
    ],
    exchanges: observation.exchanges.map((first) => ({ first })),
  };
}

/** Formats observations for a terminal. */
export function formatObservations(observations: readonly ReportedObservation[]): string {
  const lines = formatFindings(listObservedFindings(observations));
  return [...lines, `${formatObservationCounts(observations)}.`, ""].join("\n");
}

/** Formats the number of observations of each kind, without a period. */
export function formatObservationCounts(observations: readonly ReportedObservation[]): string {
  const count = (isCounted: IsListed) => observations.filter(isCounted).length;
  const of = (kind: ReportedObservation["kind"]) => count((observation) => observation.kind === kind);
  return (
    `${observations.length} gaps: ${of("answer")} with known answers (${count(isNotDefault)} not the default), ` +
    `${of("other")} with other answers, ` +
    `${of("undecided")} undecided (${count(isBroken)} because of broken clauses), ` +
    `${of("not declared")} not declared`
  );
}
