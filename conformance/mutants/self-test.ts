import type { ClauseId } from "../../openapi/clauses/register.js";
import { type GapId, getGap } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { getArea, type Check } from "../check/check.js";
import type { Fetch } from "../client/exchange.js";
import { Ledger } from "../target/ledger.js";
import type { CheckResult, Failure } from "../run/result.js";
import { Certification } from "../run/certification.js";
import { generateRunId } from "../run/run-id.js";
import { Run } from "../run/runner.js";
import { createEmulatorTarget } from "../target/emulator-target.js";
import { decodeReplayToken, encodeReplayToken } from "../run/replay-token.js";
import { ClauseViolation } from "../client/violation.js";
import { loginCheck } from "../checks/preconditions.js";
import type { Mutant, Variant } from "./mutant.js";

/** A deployment that mutants and variants wrap. */
export interface DeploymentUnderTest {
  readonly url: string;
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

/** How a check found a mutant. */
interface Blame {
  readonly blamed: ClauseId;
  /** The check that found it. */
  readonly check: Check["id"];
  /** The message of the check. */
  readonly reason: string;
  /** Token that reproduces the failure. */
  readonly token: string;
  /** Description by which the failure is recognized, see {@link describeCase}. */
  readonly case: string;
}

/** Result for a mutant: found with the clause that it breaks, found with another clause, or not found. */
export interface MutantResult extends Partial<Blame> {
  readonly id: string;
  readonly clause: ClauseId;
  readonly outcome: "killed" | "killed by another" | "survived";
}

/** Result of reproducing a failure with its token. */
export interface ReplayResult {
  /** Why the failure differs; undefined if it is the same failure. */
  readonly difference: string | undefined;
  /** Whether the input in the token passed on its own, so that the whole check had to run. */
  readonly byWholeCheck: true | undefined;
}

/** A check that failed or could not run, although the deployment conforms. */
export interface FalseAlarm {
  /** A check, or `the run`. */
  readonly check: string;
  readonly reason: string;
  readonly clause?: ClauseId;
  readonly token?: string;
}

export interface SelfTestOptions {
  readonly checks: readonly Check[];
  /** Creates a deployment with the given answers to gaps. */
  readonly subject: (profile?: Variant["profile"]) => Promise<DeploymentUnderTest>;
  readonly seed: number;
  readonly runs: number;
}

async function withRun<Result>(
  { subject, seed, runs }: SelfTestOptions,
  { wrap = (fetch) => fetch, profile, target: changes }: Pick<Variant, "wrap" | "profile" | "target">,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { url, fetch, close } = await subject(profile);
  try {
    const id = generateRunId();
    const emulatorTarget = await createEmulatorTarget({
      url,
      fetch: wrap(fetch),
      run: id,
      // The strict document would find differences that break no clause.
      strict: false,
      knownAnswers: selectUnguessableAnswers(profile),
    });
    const target = { ...emulatorTarget, readLagMs: 0, ...changes };
    const ledger = Ledger.create(id, target.baseUrl);
    return await work(new Run({ target, ledger, seed, runs, confirms: false }));
  } finally {
    await close();
  }
}

/** Answers that a target file must contain: routes that cannot be guessed. */
export function selectUnguessableAnswers(profile: Variant["profile"] = {}): Partial<Profile> {
  return Object.fromEntries(
    Object.entries(profile).filter(([id, answer]) => {
      const { route, choices } = getGap(id as GapId);
      return route !== undefined && !choices.includes(answer);
    }),
  );
}

/** Prepares a run; returns a blame if a user cannot log in. */
async function prepare(run: Run, options: SelfTestOptions): Promise<Blame | undefined> {
  try {
    await run.prepare();
    return undefined;
  } catch (error) {
    if (!(error instanceof ClauseViolation)) throw error;
    const { id: check } = loginCheck;
    const token = encodeReplayToken(check, options, {});
    return { check, blamed: error.clause, reason: error.message, token, case: "nobody can log in" };
  }
}

function getBlame({ check, failure, reason = "" }: CheckResult, options: SelfTestOptions): Blame | undefined {
  if (failure === undefined) return undefined;
  const token = encodeReplayToken(check.id, options, failure);
  return { check: check.id, blamed: failure.clause, reason, token, case: describeCase(check, failure) };
}

/** Runs the checks of a mutant's clause, those of its area first, and then the rest of its area, until one finds it. */
export async function testMutant(mutant: Mutant, options: SelfTestOptions): Promise<MutantResult> {
  const { id, clause } = mutant;
  const rank = (check: Check) =>
    2 * Number(check.clauses.includes(clause)) + Number(getArea(check) === getArea(mutant));
  const ordered = options.checks.filter((check) => rank(check) > 0).sort((a, b) => rank(b) - rank(a));
  if (ordered.length === 0) throw new Error(`${id}: no check is in this area`);
  return withRun(options, mutant, async (run) => {
    let found = await prepare(run, options);
    if (found === undefined)
      for (const check of ordered) {
        const blame = getBlame(await run.check(check), options);
        if (blame?.blamed === clause) return { id, clause, outcome: "killed", ...blame };
        found ??= blame;
      }
    if (found === undefined) return { id, clause, outcome: "survived" };
    return { id, clause, outcome: found.blamed === clause ? "killed" : "killed by another", ...found };
  });
}

/**
 * Describes a failure so that two runs can be compared: the check, the shrunk input, and the callers, operations and
 * statuses of the requests. Names and ids differ between runs and are left out, and repeated equal requests count once,
 * because a check may poll.
 */
function describeCase({ id }: Check, failure: Failure): string {
  const { property } = failure;
  // Setup is left out, because the first check creates the shared resources.
  const requests = failure.exchanges
    .filter(({ setUp }) => !setUp)
    .map(
      ({ caller, operationId = "", intent, answer }) =>
        `${caller} ${operationId} (${intent}) ${answer?.status ?? "no response"}`,
    );
  return [
    id,
    ...(property?.inputs ?? []).map(({ name, value }) => `property ${property?.index}, ${name}: ${value}`),
    ...requests.filter((request, at) => request !== requests[at - 1]),
  ].join("\n");
}

/** Reproduces the failure that revealed a mutant on a new deployment, with only its token. */
export async function replayMutant(
  { wrap }: Pick<Mutant, "wrap">,
  found: MutantResult,
  options: SelfTestOptions,
): Promise<ReplayResult> {
  const { check: checkId, seed, runs, replay } = decodeReplayToken(found.token ?? "", options.checks);
  const check = options.checks.find((known) => known.id === checkId);
  if (check === undefined) throw new Error(`no check is named ${checkId}`);
  const asThen: SelfTestOptions = { ...options, seed, runs };
  return withRun(asThen, { wrap }, async (run) => {
    const login = await prepare(run, asThen);
    const result = login === undefined ? await run.check(check, replay) : undefined;
    const again = result === undefined ? login : getBlame(result, asThen);
    const difference = again === undefined ? `the check ${result?.level}` : findDifference(found, again);
    return { difference, byWholeCheck: result?.inputPassed };
  });
}

/** Returns why a reproduced failure differs from the original; undefined if it is the same. */
function findDifference(found: Partial<Blame>, again: Blame): string | undefined {
  if (again.blamed !== found.blamed) return `${again.blamed} was blamed in place of ${found.blamed}`;
  return again.case === found.case ? undefined : `${again.case} in place of ${found.case}`;
}

/** Returns the results that are wrong for a deployment that conforms. */
function listAlarms(results: readonly CheckResult[], options: SelfTestOptions): readonly FalseAlarm[] {
  return results.flatMap((result) => {
    if (result.level === "passed") return [];
    const { blamed: clause, token } = getBlame(result, options) ?? {};
    const reason = `${result.level}: ${result.reason ?? ""}`;
    return {
      check: result.check.id,
      reason,
      ...(clause && { clause }),
      ...(token !== undefined && { token }),
    };
  });
}

/** Certifies the unmodified emulator like the command, with three concurrent checks; it must be conformant. */
export async function certifyUnmodifiedEmulator(options: SelfTestOptions): Promise<readonly FalseAlarm[]> {
  const { checks, subject, seed, runs } = options;
  const { url, fetch, close } = await subject();
  try {
    const id = generateRunId();
    const target = { ...(await createEmulatorTarget({ url, fetch, run: id })), maxConcurrentChecks: 3 };
    const ledger = Ledger.create(id, target.baseUrl);
    const certification = new Certification({ target, ledger, seed, runs, checks, confirms: false });
    const { results, errors } = await certification.certify();
    return [...listAlarms(results, options), ...errors.map((reason) => ({ check: "the run", reason }))];
  } finally {
    await close();
  }
}

/** Runs the checks of the areas of a variant, or all checks: all of them must run and none may fail. */
export async function testVariant(
  variant: Variant,
  options: SelfTestOptions,
): Promise<readonly FalseAlarm[]> {
  const { id, alsoIn = [] } = variant;
  const chosen = options.checks.filter((check) => {
    const area = getArea(check);
    return id.startsWith("everywhere/") || id.startsWith(`${area}/`) || alsoIn.includes(area);
  });
  return withRun(options, variant, async (run) => {
    await run.prepare();
    const results: CheckResult[] = [];
    for (const check of chosen) results.push(await run.check(check));
    // A deployment may conform without offering everything.
    return listAlarms(
      results.filter(({ level }) => level !== "not-declared"),
      options,
    );
  });
}
