import type { ClauseId } from "../../openapi/clauses/register.js";
import type { GapAnswer } from "../../openapi/gaps/gap.js";
import { getDefaultAnswer, type GapId, getGap } from "../../openapi/gaps/register.js";
import type { Exchange } from "../client/exchange.js";
import type { SecretMasker } from "../client/secrets.js";
import { truncateBodies } from "../client/truncate-body.js";
import type { Observation } from "./observation.js";

/** An observation of a gap for a report, without secrets. */
export interface ReportedObservation {
  readonly gap: GapId;
  /** Part of the specification that leaves the gap. */
  readonly part: string;
  readonly question: string;
  readonly kind: Observation["kind"];
  readonly answer?: GapAnswer;
  readonly isDefault?: boolean;
  /** Behaviour of the deployment that is not among the known answers, and the expected behaviour. */
  readonly actual?: string;
  readonly expected?: string;
  readonly reason?: string;
  /** The clause that the deployment broke, so that the gap is undecided. */
  readonly brokenClause?: ClauseId;
  readonly requests: number;
  readonly exchanges: readonly Exchange[];
}

/** Maximum number of characters of a body; some requests are as large as the deployment allows. */
const maxBodyLength = 1000;

/** Removes the secrets from an observation, and adds the description of its gap. */
export function toReportedObservation(observation: Observation, secrets: SecretMasker): ReportedObservation {
  const { gap, kind, requests, exchanges } = observation;
  const { part, question } = getGap(gap);
  return {
    gap,
    part,
    question,
    kind,
    ...(observation.kind === "answer"
      ? {
          answer: observation.answer,
          isDefault: JSON.stringify(observation.answer) === JSON.stringify(getDefaultAnswer(gap)),
        }
      : observation.kind === "other"
        ? { actual: secrets.hide(observation.actual), expected: observation.expected }
        : { reason: secrets.hide(observation.reason) }),
    ...("brokenClause" in observation && { brokenClause: observation.brokenClause }),
    requests,
    exchanges: exchanges.map((exchange) => truncateBodies(secrets.hideExchange(exchange), maxBodyLength)),
  };
}
