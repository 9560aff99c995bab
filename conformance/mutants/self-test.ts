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
import type { Mutant, Variant } from "./mutant.js";

/** A deployment that mutants and variants wrap. */
export interface DeploymentUnderTest {
  readonly url: string;
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

/** Result for a mutant: found with the clause that it breaks, found with another clause, or not found. */
export interface MutantResult {
  readonly id: string;
  readonly clause: ClauseId;
  readonly outcome: "killed" | "killed by another" | "survived";
  /** The clause that was blamed. */
  readonly blamed?: ClauseId;
  /** The check that found it. */
  readonly check?: Check["id"];
  /** The message of the check. */
  readonly reason?: string;
  /** Token that reproduces the failure. If a user cannot log in, this is the token of the check that could not start. */
  readonly token?: string;
  /** Description by which the failure is recognized, see {@link caseOf}. */
  readonly case?: string;
}

/** Results of the checks for a variant. */
export interface VariantResult {
  readonly id: string;
  readonly wrong: readonly { readonly check: Check["id"]; readonly reason: string }[];
}

/** Result of reproducing a failure with its token. */
export interface ReplayResult {
  readonly id: string;
  readonly token: string;
  /** Why the failure differs; undefined if it is the same failure. */
  readonly difference?: string;
  /** Whether the input in the token passed on its own, so that the whole check had to run. */
  readonly byWholeCheck?: true;
}

/** Results of the checks for the unmodified deployment with one seed. */
export interface SeedResult {
  readonly seed: number;
  readonly alarms: readonly {
    /** A check, or `the run`. */
    readonly check: string;
    readonly reason: string;
    readonly clause?: ClauseId;
    readonly token?: string;
  }[];
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
  {
    wrap = (fetch) => fetch,
    profile,
    readLagMs = 0,
    ...declared
  }: Pick<Variant, "wrap" | "profile" | "readLagMs" | "countLagMs" | "invitationDomain">,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { url, fetch, close } = await subject(profile);
  try {
    const id = generateRunId();
    const known = unguessable(profile);
    const target = {
      // judged as a foreign deployment: the strict document would find what no clause demands
      ...(await createEmulatorTarget({ url, fetch: wrap(fetch), run: id, strict: false, known })),
      readLagMs,
      ...(declared.countLagMs === undefined ? {} : { countLagMs: declared.countLagMs }),
      ...(declared.invitationDomain === undefined ? {} : { invitationDomain: declared.invitationDomain }),
    };
    const ledger = Ledger.begin(id, target.baseUrl);
    return await work(new Run({ target, ledger, seed, runs, confirms: false }));
  } finally {
    await close();
  }
}

/** Answers that a target file must contain: routes that cannot be guessed. */
export function unguessable(profile: Variant["profile"] = {}): Partial<Profile> {
  return Object.fromEntries(
    Object.entries(profile).filter(([id, answer]) => {
      const { route, choices } = getGap(id as GapId);
      return route !== undefined && !choices.includes(answer as string);
    }),
  );
}

/** The clause that is broken if a user cannot log in; undefined if all users can log in. */
async function preparing(run: Run): Promise<ClauseViolation | undefined> {
  try {
    await run.prepare();
    return undefined;
  } catch (error) {
    if (error instanceof ClauseViolation) return error;
    throw error;
  }
}

/** Runs the checks that must find a mutant: first those with its clause, then the others in its areas. */
export async function tryMutant(mutant: Mutant, options: SelfTestOptions): Promise<MutantResult> {
  const { id, clause, alsoIn = [] } = mutant;
  const areas = [getArea(mutant), ...alsoIn];
  const ofAreas = options.checks.filter((check) => areas.includes(getArea(check)));
  const ordered = [
    ...ofAreas.filter((check) => check.clauses.includes(clause)),
    ...ofAreas.filter((check) => !check.clauses.includes(clause)),
  ];
  const done = (rest: Pick<MutantResult, "outcome"> & Partial<MutantResult>): MutantResult => ({
    id,
    clause,
    ...rest,
  });
  return withRun(options, mutant, async (run) => {
    const violation = await preparing(run);
    if (violation !== undefined)
      return done({
        outcome: violation.clause === clause ? "killed" : "killed by another",
        blamed: violation.clause,
        reason: violation.message,
        ...tokenOf(ordered[0], options),
      });
    let other: MutantResult | undefined;
    for (const check of ordered) {
      const result = await run.check(check);
      if (result.failure === undefined) continue;
      const found = done({ ...foundBy(result, options), outcome: "killed by another" });
      if (result.failure.clause === clause) return { ...found, outcome: "killed" };
      other ??= found;
    }
    return other ?? done({ outcome: "survived" });
  });
}

function foundBy({ check, failure, reason }: CheckResult, options: SelfTestOptions): Partial<MutantResult> {
  if (failure === undefined) return {};
  return {
    check: check.id,
    blamed: failure.clause,
    ...(reason === undefined ? {} : { reason }),
    ...tokenOf(check, options, failure),
  };
}

/** Returns the token of a failure, and the description by which the reproduced failure is recognized. */
function tokenOf(
  check: Check | undefined,
  options: SelfTestOptions,
  failure?: Failure,
): Pick<MutantResult, "token" | "case"> {
  if (check === undefined) return {};
  return {
    token: encodeReplayToken(check.id, options, failure ?? {}),
    case: failure === undefined ? "nobody can log in" : caseOf(check, failure),
  };
}

/**
 * What a failure is known by: the check, the shrunk input, and who asked for what with which answer. Names and ids are
 * left out, as they are others in every run, and so is how often the same was asked in a row: a check that waits for a
 * figure is patient once.
 */
function caseOf({ id }: Check, failure: Failure): string {
  const { property } = failure;
  // without setup, because the first check creates the resources that checks share
  const requests = failure.exchanges
    .filter(({ setUp }) => !setUp)
    .map(
      ({ caller, operationId = "", intent, answer }) =>
        `${caller} ${operationId} (${intent}) ${answer?.status ?? "no response"}`,
    );
  return [
    id,
    ...(property === undefined ? [] : [`property ${property.index}: ${property.counterexample}`]),
    ...requests.filter((request, at) => request !== requests[at - 1]),
  ].join("\n");
}

/** Reproduces the failure that revealed a mutant on a new deployment, with only its token. */
export async function replayMutant(
  { wrap }: Pick<Mutant, "wrap">,
  found: MutantResult,
  options: SelfTestOptions,
): Promise<ReplayResult> {
  const { id, token = "" } = found;
  const { check: checkId, seed, runs, replay } = decodeReplayToken(token, options.checks);
  const check = options.checks.find((known) => known.id === checkId);
  if (check === undefined) throw new Error(`no check is named ${checkId}`);
  const asThen: SelfTestOptions = { ...options, seed, runs };
  return withRun(asThen, { wrap }, async (run) => {
    const violation = await preparing(run);
    const result = violation === undefined ? await run.check(check, replay) : undefined;
    const difference = differenceOf(found, {
      level: result?.level ?? "did not run",
      blamed: violation?.clause ?? result?.failure?.clause,
      case: tokenOf(check, asThen, result?.failure).case,
    });
    return {
      id,
      token,
      ...(difference === undefined ? {} : { difference }),
      ...(result?.inputHeld === undefined ? {} : { byWholeCheck: true }),
    };
  });
}

/** Returns why a reproduced failure differs from the original; undefined if it is the same. */
function differenceOf(
  found: MutantResult,
  again: { readonly level: string; readonly blamed: ClauseId | undefined; readonly case: string | undefined },
): string | undefined {
  if (again.blamed === undefined) return `the check ${again.level}`;
  if (again.blamed !== found.blamed) return `${again.blamed} was blamed in place of ${found.blamed}`;
  return again.case === found.case ? undefined : `${again.case} in place of ${found.case}`;
}

/** Certifies the unmodified emulator like the command, with three concurrent checks; it must be conformant. */
export async function certifyUnmodified(
  seed: number,
  { checks, subject, runs }: SelfTestOptions,
): Promise<SeedResult> {
  const { url, fetch, close } = await subject();
  try {
    const id = generateRunId();
    const target = { ...(await createEmulatorTarget({ url, fetch, run: id })), sideBySide: 3 };
    const ledger = Ledger.begin(id, target.baseUrl);
    const options = { target, ledger, seed, runs };
    const certification = new Certification({ ...options, checks, confirms: false });
    const { results, troubles, preparation } = await certification.certify();
    const alarms = results.flatMap(({ check, level, reason = "", failure }) =>
      level === "passed"
        ? []
        : {
            check: check.id,
            reason: `${level}: ${reason}`,
            ...(failure && { clause: failure.clause, token: encodeReplayToken(check.id, options, failure) }),
          },
    );
    const others = [...troubles, ...(preparation === undefined ? [] : [preparation.seen])];
    return {
      seed,
      alarms: [...alarms, ...others.map((reason) => ({ check: "the run", reason }))],
    };
  } finally {
    await close();
  }
}

/** Runs the checks of the area of a variant, or all checks: all of them must run and none may fail. */
export async function tryVariant(variant: Variant, options: SelfTestOptions): Promise<VariantResult> {
  const area = variant.id.slice(0, variant.id.indexOf("/"));
  const chosen = options.checks.filter((check) => area === "everywhere" || getArea(check) === area);
  return withRun(options, variant, async (run) => {
    const wrong: { check: Check["id"]; reason: string }[] = [];
    await run.prepare();
    for (const check of chosen) {
      const { level, reason = "" } = await run.check(check);
      // what a deployment turns out not to offer keeps nobody from being conformant
      if (level !== "passed" && level !== "not-declared")
        wrong.push({ check: check.id, reason: `${level}: ${reason}` });
    }
    return { id: variant.id, wrong };
  });
}
