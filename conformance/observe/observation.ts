import type { ClauseId } from "../../openapi/clauses/register.js";
import type { GapAnswer } from "../../openapi/gaps/gap.js";
import { describeAnswers, isKnownAnswer } from "../../openapi/gaps/profile.js";
import { type GapId, gapIds } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Check } from "../check/check.js";
import type { Exchange } from "../client/exchange.js";
import { type CheckContext, formatValue } from "../check/context.js";
import type { CheckResult } from "../run/result.js";
import type { Run } from "../run/runner.js";
import { runConcurrently } from "../run/schedule.js";
import { ObserverContext, UnlistedAnswerError, UndecidedError } from "./observer-context.js";
import type { GapObserver } from "./observer.js";
import { observers } from "./register.js";

/** The result of observing one gap. */
type ObservationFinding =
  | { readonly kind: "answer"; readonly answer: GapAnswer }
  /** The deployment behaves in a way that is not among the known answers. */
  | { readonly kind: "other"; readonly actual: string; readonly expected: string }
  /** The target does not offer what the observation needs. */
  | { readonly kind: "not declared"; readonly reason: string }
  /** @property brokenClause the clause that the deployment broke while the gap was observed */
  | { readonly kind: "undecided"; readonly reason: string; readonly brokenClause?: ClauseId };

/** The result of observing a gap, with evidence. */
export type Observation = ObservationFinding & {
  readonly gap: GapId;
  /** The evidence: the last exchanges, without setup. */
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
};

interface ObserveOptions {
  /** The gaps to observe. The gaps on which they depend are also observed. Defaults to all gaps. */
  readonly only?: readonly GapId[];
  readonly onProgress?: (done: number, total: number) => void;
  readonly isStopped?: () => string | undefined;
}

/** Maximum number of exchanges that are kept with an observation. */
const maxExchanges = 8;

/**
 * Observes the answers of a deployment to gaps. The run must be prepared. Never throws because of the behavior of the
 * deployment.
 */
export async function observeGaps(run: Run, options: ObserveOptions = {}): Promise<readonly Observation[]> {
  const { only = gapIds, onProgress, isStopped = () => undefined } = options;
  const chosen = addGapDependencies(only);
  const answers: Partial<Profile> = {};
  const found = new Map<GapId, Observation>();
  await runConcurrently(
    chosen.map(toCheck),
    run.concurrency,
    async ({ title }) => {
      const gap = title as GapId;
      const observation = await observeOne(run, gap, answers);
      found.set(gap, observation);
      if (observation.kind === "answer") Object.assign(answers, { [gap]: observation.answer });
      onProgress?.(found.size, chosen.length);
    },
    () => isStopped() !== undefined,
  );
  return chosen.map((gap) => found.get(gap) ?? leaveUndecided(gap, isStopped() ?? "the run ended early"));
}

function leaveUndecided(gap: GapId, reason: string): Observation {
  return { gap, kind: "undecided", reason, exchanges: [], requests: 0 };
}

async function observeOne(run: Run, gap: GapId, answers: Partial<Profile>): Promise<Observation> {
  const observer = getObserver(gap);
  const hiding = observer.hidden?.find(({ by, when }) => by in answers && when(answers[by], answers));
  if (hiding !== undefined)
    return leaveUndecided(gap, `${hiding.because} (${hiding.by}: ${JSON.stringify(answers[hiding.by])})`);
  let finding: ObservationFinding | undefined;
  let exchanges: readonly Exchange[] = [];
  const work = async (check: CheckContext) => {
    const context = new ObserverContext(check, answers);
    try {
      finding = judgeAnswer(gap, await observer.observe(context));
    } catch (error) {
      if (error instanceof UnlistedAnswerError)
        finding = { kind: "other", actual: error.actual, expected: error.expected };
      else if (error instanceof UndecidedError) finding = { kind: "undecided", reason: error.message };
      else throw error;
    } finally {
      exchanges = check.evidence.exchanges.filter(({ setUp }) => !setUp).slice(-maxExchanges);
    }
  };
  const result = await run.check({ ...toCheck(gap), after: [], run: work });
  return { gap, ...(finding ?? toFinding(result)), exchanges, requests: result.requests };
}

/** Returns a finding with a known answer of the gap; any other value is an unknown answer. */
function judgeAnswer(gap: GapId, answer: unknown): ObservationFinding {
  if (isKnownAnswer(gap, answer)) return { kind: "answer", answer };
  return { kind: "other", actual: formatValue(answer), expected: describeAnswers(gap) };
}

/** Returns the finding of an observation that did not complete. */
function toFinding({ level, reason = "", failure }: CheckResult): ObservationFinding {
  if (level === "not-declared") return { kind: "not declared", reason };
  return { kind: "undecided", reason, ...(failure && { brokenClause: failure.clause }) };
}

/**
 * Converts observers to checks without assertions, for their requests. Each check has the answers of the earlier observers.
 *
 * @param gaps the gaps to observe; gaps on whose answers they depend are added
 */
export function toObserverChecks(gaps: readonly GapId[]): readonly Check[] {
  const answers: Partial<Record<GapId, unknown>> = {};
  return addGapDependencies(gaps).map((gap) => ({
    ...toCheck(gap),
    after: [],
    run: async (check) => {
      const context = new ObserverContext(check, answers as Partial<Profile>);
      try {
        answers[gap] = await getObserver(gap).observe(context);
      } catch (error) {
        if (!(error instanceof UnlistedAnswerError || error instanceof UndecidedError)) throw error;
      }
    },
  }));
}

/** Converts an observer to a check. */
function toCheck(gap: GapId): Check {
  const { needs, alone } = getObserver(gap);
  return {
    // `gaps` is not an area, so that no selection of checks includes this one.
    id: `gaps/${gap}` as Check["id"],
    title: gap,
    clauses: [],
    needs,
    ...(alone === undefined ? {} : { alone }),
    after: getDependencies(gap).map((other) => `gaps/${other}` as Check["id"]),
    run: () => Promise.resolve(),
  };
}

function getObserver(gap: GapId): GapObserver {
  return observers[gap];
}

/** Returns the gaps on which an observer depends. */
function getDependencies(gap: GapId): readonly GapId[] {
  const { after = [], hidden = [] } = getObserver(gap);
  return [...new Set([...after, ...hidden.map(({ by }) => by)])];
}

/** Adds the gaps on which gaps depend; each gap follows its dependencies, otherwise the order is that of the register. */
export function addGapDependencies(only: readonly GapId[]): readonly GapId[] {
  const ordered = new Set<GapId>();
  const add = (gap: GapId, path: readonly GapId[]) => {
    if (path.includes(gap)) throw new Error(`observers depend on each other: ${[...path, gap].join(", ")}`);
    if (ordered.has(gap)) return;
    for (const before of getDependencies(gap)) add(before, [...path, gap]);
    ordered.add(gap);
  };
  for (const gap of gapIds) if (only.includes(gap)) add(gap, []);
  return [...ordered];
}
