import type { ClauseId } from "../../openapi/clauses/register.js";
import { areaOf, type Check } from "../check.js";
import type { Fetch } from "../client/exchange.js";
import { Ledger } from "../resources/ledger.js";
import type { CheckResult } from "../run/result.js";
import { newRunId } from "../run/run-id.js";
import { Run } from "../run/runner.js";
import { emulatorTarget } from "../target/emulator-target.js";
import { ClauseViolation } from "../violation.js";
import type { Mutant, Variant } from "./mutant.js";

/** A deployment to be tampered with. */
export interface Subject {
  readonly url: string;
  readonly fetch: Fetch;
  readonly close: () => Promise<void>;
}

/** What became of a mutant: found by the clause it breaks, by another one, or not at all. */
export interface MutantResult {
  readonly id: string;
  readonly clause: ClauseId;
  readonly outcome: "killed" | "killed by another" | "survived";
  /** The clause that was blamed. */
  readonly blamed?: ClauseId;
  /** The check that found it. */
  readonly check?: Check["id"];
  /** Length of the shrunk counterexample in requests, set-up aside. */
  readonly requests?: number;
  /** What the check said. */
  readonly reason?: string;
  /** The case to come back to, for checks that are properties. */
  readonly replay?: { readonly property: number; readonly seed: number; readonly path: string };
  readonly durationMs: number;
}

/** What the checks said about a variant. */
export interface VariantResult {
  readonly id: string;
  readonly wrong: readonly { readonly check: Check["id"]; readonly reason: string }[];
  readonly durationMs: number;
}

export interface SelfTestOptions {
  readonly checks: readonly Check[];
  /** Makes a deployment with the given answers to gaps. */
  readonly subject: (profile?: Variant["profile"]) => Promise<Subject>;
  readonly seed: number;
  readonly runs: number;
}

async function withRun<Result>(
  { subject, seed, runs }: SelfTestOptions,
  { wrap = (fetch) => fetch, profile }: Pick<Variant, "wrap" | "profile">,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const { url, fetch, close } = await subject(profile);
  try {
    const id = newRunId();
    // judged as a foreign deployment: the strict document would find what no clause demands
    const target = await emulatorTarget({ url, fetch: wrap(fetch), run: id, strict: false });
    return await work(new Run({ target, ledger: Ledger.begin(id, target.baseUrl), seed, runs }));
  } finally {
    await close();
  }
}

/** Runs the checks that have to find a mutant: first those of its clause, then the others of its areas. */
export async function tryMutant(mutant: Mutant, options: SelfTestOptions): Promise<MutantResult> {
  const started = performance.now();
  const { id, clause, alsoIn = [] } = mutant;
  const areas = [areaOf(mutant), ...alsoIn];
  const ofAreas = options.checks.filter((check) => areas.includes(areaOf(check)));
  const ordered = [
    ...ofAreas.filter((check) => check.clauses.includes(clause)),
    ...ofAreas.filter((check) => !check.clauses.includes(clause)),
  ];
  const done = (rest: Pick<MutantResult, "outcome"> & Partial<MutantResult>): MutantResult => ({
    id,
    clause,
    durationMs: performance.now() - started,
    ...rest,
  });
  return withRun(options, mutant, async (run) => {
    try {
      await run.prepare();
    } catch (error) {
      if (!(error instanceof ClauseViolation)) throw error;
      const outcome = error.clause === clause ? "killed" : "killed by another";
      return done({ outcome, blamed: error.clause, reason: error.message });
    }
    let other: MutantResult | undefined;
    for (const check of ordered) {
      const result = await run.check(check);
      if (result.failure === undefined) continue;
      const found = done({ ...foundBy(result), outcome: "killed by another" });
      if (result.failure.clause === clause) return { ...found, outcome: "killed" };
      other ??= found;
    }
    return other ?? done({ outcome: "survived" });
  });
}

function foundBy({ check, failure, reason }: CheckResult): Partial<MutantResult> {
  if (failure === undefined) return {};
  const { property } = failure;
  return {
    check: check.id,
    blamed: failure.clause,
    requests: failure.exchanges.filter(({ setUp }) => !setUp).length,
    ...(reason === undefined ? {} : { reason }),
    ...(property === undefined
      ? {}
      : { replay: { property: property.index, seed: property.seed, path: property.path } }),
  };
}

/** Runs the checks of a variant's area, or all of them: none may fail or be kept from running. */
export async function tryVariant(variant: Variant, options: SelfTestOptions): Promise<VariantResult> {
  const started = performance.now();
  const area = variant.id.slice(0, variant.id.indexOf("/"));
  const chosen = options.checks.filter((check) => area === "everywhere" || areaOf(check) === area);
  return withRun(options, variant, async (run) => {
    const wrong: { check: Check["id"]; reason: string }[] = [];
    await run.prepare();
    for (const check of chosen) {
      const { level, reason = "" } = await run.check(check);
      if (level !== "passed") wrong.push({ check: check.id, reason: `${level}: ${reason}` });
    }
    return { id: variant.id, wrong, durationMs: performance.now() - started };
  });
}
