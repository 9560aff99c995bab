import type { Profile } from "../../openapi/gaps/profile.js";
import type { Check, Requirement } from "../check/check.js";
import { Client } from "../client/client.js";
import { sleep } from "../client/rate-limiter.js";
import { getBackoffMs, getRetryPlan } from "../client/get-retry-plan.js";
import { getOpenContract, getStrictContract } from "../client/contracts.js";
import { Recorder } from "../client/recorder.js";
import { RouteTable } from "../client/routes.js";
import { SecretMasker } from "../client/secrets.js";
import { CheckContext, type ReplayedCase } from "../check/context.js";
import type { Ledger } from "../target/ledger.js";
import { type LeftBehind, removeAllResources } from "../resources/remove-all.js";
import { Resources } from "../resources/resources.js";
import { Actors } from "../target/actors.js";
import type { ObservationSettings } from "../target/observation-settings.js";
import type { UnmetRequirementReason, PreparedTarget, Target } from "../target/target.js";
import {
  ClauseViolation,
  NoResponseError,
  NotOfferedError,
  DeadlineExceededError,
  RunError,
} from "../client/violation.js";
import type { CheckResult, Failure } from "./result.js";

export interface RunOptions {
  readonly target: Target;
  readonly ledger: Ledger;
  /** Seed of the generated inputs. */
  readonly seed: number;
  /** Number of inputs tried per property. */
  readonly runs: number;
  /** When all checks must end, in milliseconds since 1970. */
  readonly deadline?: number;
  /** When the run must end, including the cleanup. */
  readonly cleanUpDeadline?: number;
  /** Number of exchanges kept for `exchanges.har`. Defaults to 0. */
  readonly keepExchanges?: number;
  /** Whether a failure is tried again. Defaults to true. */
  readonly confirms?: boolean;
  /** Whether answers are validated against the contract. Defaults to true. */
  readonly judges?: boolean;
  /** Recorder of the exchanges. Defaults to a new one. */
  readonly recorder?: Recorder;
}

/** Maximum number of times that a check starts if the deployment stops answering. */
const maxStarts = 3;

/** Maximum number of concurrent checks; more checks would only share the same request rate. */
const maxSideBySide = 16;

/** How long to wait for a deployment that does not answer. */
const defaultOutageMs = 20_000;

/** How a check ended. */
type Ending = Pick<CheckResult, "level" | "reason" | "failure"> & {
  /** The deployment did not answer. */
  readonly unanswered?: true;
  /** The check could not be set up. */
  readonly isTrouble?: true;
  /** The check could not use an answer. */
  readonly isBroken?: true;
  /** How an answer breaks the contract. */
  readonly breach?: string;
};

/** A run against one target: prepares it, runs checks and cleans up. */
export class Run {
  readonly recorder: Recorder;
  readonly secrets = new SecretMasker();
  readonly client: Client;
  readonly #options: RunOptions;
  #prepared: (Omit<PreparedTarget, "source"> & { actors: Actors; resources: Resources }) | undefined;
  readonly #results = new Map<Check["id"], CheckResult>();
  readonly #running = new Map<Check, Recorder>();
  #forObservers: Promise<ObservationSettings> | undefined;
  #isGone = false;
  #isTimeUp = false;
  #hasOneSession = false;
  /** The check that failed for each breach of the contract. */
  readonly #reporters = new Map<string, Check["id"]>();
  /** Checks about a clause that only the form of an answer breaks, which another check reported. */
  readonly #passedExceptForm = new Set<Check["id"]>();
  /** The check that first failed with each symptom. */
  readonly #symptoms = new Map<string, Check["id"]>();
  #reviving: Promise<boolean> | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.recorder = options.recorder ?? new Recorder(options.keepExchanges);
    const { target } = options;
    const open = getOpenContract();
    this.client = new Client({
      ...target,
      open,
      ...(target.isStrict ? { strict: getStrictContract(target.known as Profile) } : {}),
      routes: new RouteTable(open.document, target.known),
      recorder: this.recorder,
      secrets: this.secrets,
      judges: options.judges,
      deadline: () => this.#deadline,
      renew: async (as, refusal) => this.#prepared?.actors.renew(as, refusal),
      sureCall: async (operationId) => this.#prepared?.resources.sureCall(operationId) ?? {},
    });
  }

  /** Number of concurrent checks. */
  get width(): number {
    const { politeness, sideBySide = maxSideBySide } = this.#options.target;
    // checks that log in would end the sessions of concurrent checks
    return this.#hasOneSession ? 1 : Math.min(politeness.concurrency, sideBySide);
  }

  /** The running checks, with the number of requests that each has sent. */
  get running(): readonly { readonly check: Check; readonly requests: number }[] {
    return [...this.#running].map(([check, { total }]) => ({ check, requests: total }));
  }

  get results(): readonly CheckResult[] {
    return [...this.#results.values()];
  }

  #deadline = Infinity;

  /** Reason for all checks that could not be completed before the deadline. */
  get #outOfTime(): string {
    const { requestsPerSecond } = this.#options.target.politeness;
    const pace = `; \`politeness.requestsPerSecond\` in the target file limits the run to ${requestsPerSecond} requests per second`;
    return `the run reached its time limit${Number.isFinite(requestsPerSecond) ? pace : ""}`;
  }

  /**
   * Verifies that the target answers and its users can log in.
   *
   * @throws RunError with the reason if it does not
   */
  async prepare(): Promise<void> {
    this.#deadline = this.#options.deadline ?? Infinity;
    try {
      // an answer that breaks the contract is reported by a check, and keeps nobody from going on
      await this.#prepareBy(this.client.unjudging());
    } catch (error) {
      if (error instanceof NoResponseError || error instanceof DeadlineExceededError) throw error;
      // perhaps a clause says why
      await this.#prepareBy(this.client);
      throw error;
    }
  }

  async #prepareBy(client: Client): Promise<void> {
    const { target, ledger } = this.#options;
    const sessions: { actors?: Actors } = {};
    const { source, ...prepared } = await target.prepare({
      client,
      ledger,
      secrets: this.secrets,
      forget: () => sessions.actors?.forget(),
    });
    const actors = (sessions.actors = new Actors(client, source, this.secrets));
    const { region = prepared.region ?? "" } = target;
    const { control } = prepared;
    const resources = new Resources({ ...target, client, actors, ledger, region, control });
    this.#prepared = { ...prepared, actors, resources };
    await actors.session("owner");
    this.#hasOneSession = this.width > 1 && (await actors.haveOneSession());
  }

  /** The target's settings for observers, prepared once. */
  forObservers(): Promise<ObservationSettings> {
    this.#forObservers ??= this.#prepared?.forObservers?.() ?? Promise.resolve({});
    return this.#forObservers;
  }

  /**
   * Runs one check. Never throws: every outcome is a result.
   *
   * @param replay an input to try on its own. If it passes, the failure depends on earlier inputs, and the whole check runs.
   */
  async check(check: Check, replay?: ReplayedCase): Promise<CheckResult> {
    const first = await this.#try(check, replay);
    if (replay === undefined || first.level !== "passed") return first;
    // what a deployment keeps for a session begins anew, as it did in the run of the failure
    this.#prepared?.actors.forget();
    const whole = await this.#try(check);
    const both: CheckResult = {
      ...whole,
      inputHeld: true,
      durationMs: first.durationMs + whole.durationMs,
      requests: first.requests + whole.requests,
    };
    this.#results.set(check.id, both);
    return both;
  }

  async #try(check: Check, replay?: ReplayedCase): Promise<CheckResult> {
    const started = performance.now();
    const recorder = this.recorder.forOne();
    let cells: CheckResult["cells"] = [];
    const end = (rest: Ending): CheckResult => {
      const result: CheckResult = {
        check,
        cells,
        durationMs: performance.now() - started,
        requests: recorder.total,
        ...rest,
      };
      this.#results.set(check.id, result);
      this.#running.delete(check);
      return result;
    };
    const prepared = this.#prepared;
    if (prepared === undefined) throw new Error("the run has not been prepared");
    const obstacle = this.#obstacleOf(check);
    if (obstacle !== undefined) return end(obstacle);
    this.#running.set(check, recorder);
    const reportedBy = new Set<Check["id"]>();
    const recording = this.client.recordingTo(recorder, (breach) => {
      const reporter = this.#reporters.get(breach);
      const isReported = reporter !== undefined && reporter !== check.id;
      if (isReported) reportedBy.add(reporter);
      return isReported;
    });
    const client = check.isPrecondition === true ? recording.unjudging() : recording;
    const actors = prepared.actors.calling(client);
    const { target, seed, runs, confirms = true } = this.#options;
    const begin = (replay?: ReplayedCase) => {
      recorder.begin();
      const context = new CheckContext({
        ...target,
        check,
        missing: (need) => this.#missing(need),
        client,
        recorder,
        actors,
        resources: prepared.resources.for(client, actors),
        control: prepared.control,
        seed,
        runs,
        deadline: this.#deadline,
        revive: () => this.#revive(),
        ...(replay === undefined ? {} : { replay }),
      });
      cells = context.cells;
      return context;
    };
    const ending = await this.#untilAnswered(check, begin, replay);
    const cause = this.#causeOf(check, ending, reportedBy);
    if (cause !== undefined) return end({ level: "blocked", reason: cause });
    const { failure } = ending;
    if (failure === undefined || !confirms || replay !== undefined) return end(ending);
    // what does not come back is said to
    const { property } = failure;
    const first = { ...ending, cells };
    const again = await this.#untilAnswered(
      check,
      begin,
      property && { ...property, property: property.index },
    );
    return end(again.level === "passed" ? { ...first, failure: { ...failure, heldAgain: true } } : first);
  }

  /**
   * Returns a cause that another check has already reported, because each cause is reported once: the same symptom, a
   * clause that this check is not about, the same problem during setup, the same unusable answer, or the failure of a
   * check on which this one depends.
   */
  #causeOf(
    check: Check,
    { level, failure, breach, isBroken, isTrouble, reason = "" }: Ending,
    reportedBy: ReadonlySet<Check["id"]>,
  ) {
    if (breach !== undefined && !this.#reporters.has(breach)) this.#reporters.set(breach, check.id);
    const [anyReporter] = reportedBy;
    if (isBroken === true && anyReporter !== undefined)
      return `${anyReporter} did not pass either, for the same reason`;
    if (level === "passed")
      for (const id of reportedBy) {
        const broken = this.#results.get(id)?.failure?.clause;
        if (broken === undefined || !check.clauses.includes(broken)) continue;
        this.#passedExceptForm.add(check.id);
        return `${broken} is broken (reported by ${id})`;
      }
    const symptom = failure === undefined ? undefined : this.#symptomOf(failure);
    const reporter = symptom === undefined ? undefined : this.#symptoms.get(symptom);
    if (reporter !== undefined && reporter !== check.id) return `${symptom} (reported by ${reporter})`;
    if (failure !== undefined || isTrouble === true || isBroken === true) {
      const blocker = this.#blockerOf(check);
      if (blocker !== undefined) return `${blocker.check.id} did not pass`;
    }
    const { clause } = failure ?? {};
    const first = [...this.#results.values()].find(
      (other) =>
        other.check !== check &&
        (clause === undefined
          ? isTrouble === true && other.reason === reason
          : other.failure?.clause === clause && !check.clauses.includes(clause)),
    );
    if (first === undefined) {
      if (symptom !== undefined) this.#symptoms.set(symptom, check.id);
      return undefined;
    }
    return clause === undefined ? reason : `${clause} is broken (reported by ${first.check.id})`;
  }

  /** Describes a failure by its last answer, in the same words for all checks that fail for this cause. */
  #symptomOf({ clause, exchanges }: Failure): string | undefined {
    const { operationId, intent, answer } = exchanges.at(-1) ?? {};
    if (operationId === undefined || answer === undefined) return undefined;
    const { status } = answer;
    const isRefused = status >= (intent === "valid" ? 400 : 500);
    if (isRefused && this.recorder.counts.get(operationId)?.accepted === 0)
      return `${operationId} returns ${status} to every caller`;
    if (intent === "valid") return undefined;
    if (status >= 500) return `${operationId} returns ${status} for invalid requests`;
    return status < 300 ? `${operationId} accepts requests that ${clause} requires it to reject` : undefined;
  }

  /** Returns a check that did not pass and on which this one depends. */
  #blockerOf({ after = [] }: Check): CheckResult | undefined {
    const nonBlocking = new Set([...this.#reporters.values(), ...this.#passedExceptForm]);
    return after
      .map((id) => this.#results.get(id))
      .find(
        (result) =>
          result !== undefined &&
          ["failed", "blocked", "not-run"].includes(result.level) &&
          // an answer in the wrong form does not block other checks
          !nonBlocking.has(result.check.id),
      );
  }

  /** Why the target does not offer something, as declared or found during the run. */
  #missing(need: Requirement): UnmetRequirementReason | undefined {
    const found = need === "invitations" ? this.#prepared?.resources.uninvited : undefined;
    return found === undefined ? this.#options.target.missing(need) : { untried: found };
  }

  /** Why a check cannot run; undefined if it can. */
  #obstacleOf(check: Check): Ending | undefined {
    const missing = check.needs.map((need) => this.#missing(need)).find((reason) => reason !== undefined);
    if (missing !== undefined)
      return typeof missing === "string"
        ? { level: "not-declared", reason: missing }
        : { level: "not-run", reason: missing.untried };
    if (this.#isTimeUp || Date.now() >= this.#deadline) return { level: "not-run", reason: this.#outOfTime };
    const precondition = [...this.#results.values()].find(
      (result) => result.check.isPrecondition === true && !["passed", "not-declared"].includes(result.level),
    );
    if (precondition !== undefined && check.isPrecondition !== true)
      return { level: "blocked", reason: precondition.reason ?? `${precondition.check.id} did not pass` };
    return this.#isGone ? { level: "not-run", reason: "the deployment has stopped responding" } : undefined;
  }

  /**
   * Runs a check and removes what it created. If the deployment stopped answering in between and answers again, the check
   * starts again.
   */
  async #untilAnswered(
    check: Check,
    begin: (replay?: ReplayedCase) => CheckContext,
    replay?: ReplayedCase,
  ): Promise<Ending> {
    for (let beginning = 1; ; beginning++) {
      const context = begin(replay);
      const { resources } = context;
      // resources of the check count against limits until they are removed
      const { ending, isBack } = await resources.holding(check.needs, async () => {
        const ending = await this.#judge(check, context, replay !== undefined);
        const isBack = ending.unanswered !== true || (await this.#revive());
        if (isBack) await resources.removeOwn();
        return { ending, isBack };
      });
      if (ending.unanswered !== true || !isBack || beginning === maxStarts) return ending;
    }
  }

  /** Waits until the deployment answers again; waits only once for a deployment that does not return. */
  async #revive(): Promise<boolean> {
    if (this.#isGone) return false;
    this.#reviving ??= this.#waitForAnswer().finally(() => (this.#reviving = undefined));
    return this.#reviving;
  }

  async #waitForAnswer(): Promise<boolean> {
    const until = Math.min(Date.now() + (this.#options.target.outageMs ?? defaultOutageMs), this.#deadline);
    for (let attempt = 0; ; attempt++) {
      const answer = await this.client.send("GET", "/health", { impatient: true }).catch(() => undefined);
      if (answer !== undefined && getRetryPlan(answer, 0) === undefined) return true;
      if (Date.now() >= until) {
        this.#isGone = true;
        return false;
      }
      await sleep(Math.min(getBackoffMs(attempt), 1000));
    }
  }

  /** Runs a check and interprets its outcome. */
  async #judge(check: Check, context: CheckContext, isReplay: boolean): Promise<Ending> {
    try {
      await check.run(context);
      await context.end();
    } catch (error) {
      if (error instanceof ClauseViolation) {
        const { clause, expected, seen, comparison, breach, message } = error;
        const failure = { clause, expected, seen, ...(comparison && { comparison }), ...context.evidence };
        return { level: "failed", reason: message, ...(breach !== undefined && { breach }), failure };
      }
      if (error instanceof NotOfferedError) return { level: "not-declared", reason: error.message };
      if (error instanceof NoResponseError)
        return { level: "not-run", reason: error.message, unanswered: true };
      if (error instanceof DeadlineExceededError) {
        this.#isTimeUp = true;
        return { level: "not-run", reason: this.#outOfTime };
      }
      if (error instanceof RunError) return { level: "not-run", reason: error.message, isTrouble: true };
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { level: "not-run", reason: `the check threw an error: ${stack}`, isBroken: true };
    }
    const idle = check.clauses.filter((clause) => !context.exercised.has(clause));
    if (idle.length > 0 && !isReplay)
      return { level: "not-run", reason: `${idle.join(", ")} could not be tested` };
    return { level: "passed" };
  }

  /** What the run has created and not removed, if it ends now. */
  leftNow(reason: string): readonly LeftBehind[] {
    return this.#options.ledger.remaining.map((entry) => ({ entry, reason }));
  }

  /**
   * Removes what the run has created, in time that is reserved for it after the deadline of the checks. Returns what is
   * left, with reasons.
   */
  async cleanUp(): Promise<readonly LeftBehind[]> {
    this.#deadline = this.#options.cleanUpDeadline ?? Infinity;
    this.#isGone = false;
    const { ledger } = this.#options;
    const left = await removeAllResources({ client: this.client, actors: this.#prepared?.actors, ledger });
    ledger.close();
    return [...left, ...(this.#prepared?.resources.leftForGood ?? [])];
  }
}
