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

/** A deployment to be tampered with. */
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
  /** What the check said. */
  readonly reason?: string;
  /** Comes back to the failure. A user who cannot log in has the token of the check that could not begin. */
  readonly token?: string;
  /** What the failure is known by, see {@link caseOf}. */
  readonly case?: string;
}

/** What the checks said about a variant. */
export interface VariantResult {
  readonly id: string;
  readonly wrong: readonly { readonly check: Check["id"]; readonly reason: string }[];
}

/** What came of going back to a failure by its token. */
export interface ReplayResult {
  readonly id: string;
  readonly token: string;
  /** Why it is not the same failure; nothing when it is. */
  readonly difference?: string;
  /** The input of the token held by itself, and the whole check had to be run. */
  readonly byWholeCheck?: true;
}

/** What the checks said about the unmodified deployment with one seed. */
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
  /** Makes a deployment with the given answers to gaps. */
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

/** The answers that a target file has to name: routes that nobody could guess. */
function unguessable(profile: Variant["profile"] = {}): Partial<Profile> {
  return Object.fromEntries(
    Object.entries(profile).filter(([id, answer]) => {
      const { route, choices } = getGap(id as GapId);
      return route !== undefined && !choices.includes(answer as string);
    }),
  );
}

/** The clause that a user who cannot log in shows to be broken; nothing when all can. */
async function preparing(run: Run): Promise<ClauseViolation | undefined> {
  try {
    await run.prepare();
    return undefined;
  } catch (error) {
    if (error instanceof ClauseViolation) return error;
    throw error;
  }
}

/** Runs the checks that have to find a mutant: first those of its clause, then the others of its areas. */
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

/** The requests of a failure, set-up aside: what the checks share is made by the first of them. */
function requestsOf({ exchanges }: Failure): Failure["exchanges"] {
  return exchanges.filter(({ setUp }) => !setUp);
}

/** The token of a failure, and what the failure is known by when it is come back to. */
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
  const requests = requestsOf(failure).map(
    ({ caller, operationId = "", intent, answer }) =>
      `${caller} ${operationId} (${intent}) ${answer?.status ?? "no answer"}`,
  );
  return [
    id,
    ...(property === undefined ? [] : [`property ${property.index}: ${property.counterexample}`]),
    ...requests.filter((request, at) => request !== requests[at - 1]),
  ].join("\n");
}

/** Goes back to the failure that a mutant was found by, on a deployment of its own, with nothing but the token. */
export async function replayMutant(
  { wrap }: Pick<Mutant, "wrap">,
  found: MutantResult,
  options: SelfTestOptions,
): Promise<ReplayResult> {
  const { id, token = "" } = found;
  const { check: checkId, seed, runs, replay } = decodeReplayToken(token, options.checks);
  const check = options.checks.find((known) => known.id === checkId);
  if (check === undefined) throw new Error(`there is no check ${checkId}`);
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

/** Why what was seen again is not what was found; nothing when it is. */
function differenceOf(
  found: MutantResult,
  again: { readonly level: string; readonly blamed: ClauseId | undefined; readonly case: string | undefined },
): string | undefined {
  if (again.blamed === undefined) return `the check ${again.level}`;
  if (again.blamed !== found.blamed) return `${again.blamed} was blamed in place of ${found.blamed}`;
  return again.case === found.case ? undefined : `${again.case} in place of ${found.case}`;
}

/** Certifies the emulator as it is, as the command does, three checks side by side: nothing may keep it from conformant. */
export async function trySeed(seed: number, { checks, subject, runs }: SelfTestOptions): Promise<SeedResult> {
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

/** Runs the checks of a variant's area, or all of them: none may fail or be kept from running. */
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
