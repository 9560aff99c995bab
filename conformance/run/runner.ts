import { debuglog } from "node:util";
import type { Profile } from "../../openapi/gaps/profile.js";
import { getResponseClause, type OperationId } from "../../openapi/operations/register.js";
import { hashText } from "../../openapi/text/hash-text.js";
import type { Check } from "../check/check.js";
import { Client } from "../client/client.js";
import type { Exchange } from "../client/exchange.js";
import { sleep } from "../client/time-source.js";
import { getElapsedMs } from "../client/get-elapsed-ms.js";
import { getBackoffMs, getRetryPlan } from "../client/get-retry-plan.js";
import { getOpenContract, getStrictContract } from "../client/contracts.js";
import { Recorder } from "../client/recorder.js";
import { RouteTable } from "../client/routes.js";
import { SecretMasker } from "../client/secrets.js";
import { CheckContext, formatResponse, formatValue, type ReplayedCase } from "../check/context.js";
import type { Ledger } from "../target/ledger.js";
import { type LeftoverResource, removeAllResources } from "../resources/remove-resources.js";
import { Resources } from "../resources/resources.js";
import { Actors } from "../target/actors.js";
import type { Requirement } from "../target/requirements.js";
import type { UnmetRequirementReason, PreparedTarget, Target } from "../target/target.js";
import {
  ClauseViolation,
  NoResponseError,
  NotOfferedError,
  DeadlineExceededError,
  RunError,
} from "../client/violation.js";
import type { CheckResult, Failure } from "./result.js";
import type { Shard } from "./shard.js";

export interface RunOptions {
  readonly target: Target;
  readonly ledger: Ledger;
  /** Seed of the generated inputs. */
  readonly seed: number;
  /** Number of inputs tried per property. */
  readonly runs: number;
  /** The shard to run. The verdict is only about the checks of the shard. */
  readonly shard?: Shard;
  /** When all checks must end, in milliseconds since 1970. */
  readonly deadline?: number;
  /** When the run must end, including the cleanup. */
  readonly cleanUpDeadline?: number;
  /** Number of exchanges kept for `exchanges.har`. Defaults to 0. */
  readonly keepExchanges?: number;
  /** Whether a failure is tried again. Defaults to true. */
  readonly confirms?: boolean;
  /** Whether responses are validated against the contract. Defaults to true. */
  readonly validates?: boolean;
  /** Recorder of the exchanges. Defaults to a new one. */
  readonly recorder?: Recorder;
}

/** Maximum number of times that a check starts if the deployment stops responding. */
const maxStarts = 3;

/** Maximum number of concurrent checks; more checks would only share the same request rate. */
const defaultConcurrentChecks = 16;

/** How long to wait for a deployment that does not respond, in milliseconds. */
const defaultOutageMs = 20_000;

/** Prints where checks throw unexpected errors, if NODE_DEBUG names it. */
const debug = debuglog("data-service");

/** How a check ended. */
type Ending = Pick<CheckResult, "level" | "reason" | "failure"> & {
  /** Without the time that the check waited for other checks. */
  readonly durationMs?: number;
  /** The deployment did not respond. */
  readonly isUnanswered?: true;
  /** The check could not be set up. */
  readonly isSetupFailure?: true;
  /** The check threw an unexpected error, perhaps because of an invalid response. */
  readonly isUnexpected?: true;
  /** How a response breaks the contract. */
  readonly breach?: string;
};

/** Statuses with which a deployment refuses all requests of an operation; other statuses may be about one request. */
const refusalStatuses = [401, 403, 405, 501];

type RefusedRequest = Exchange & {
  readonly operationId: OperationId;
  readonly answer: NonNullable<Exchange["answer"]>;
};

/** Blames the refusal, because a later assertion may be about a clause that the deployment does not break. */
function createRefusalViolation({ operationId, answer }: RefusedRequest): ClauseViolation {
  const clause = getResponseClause(operationId);
  const actual = formatValue(formatResponse({ ...answer, text: answer.body }));
  return new ClauseViolation(clause, "an accepted request, because it is valid", actual);
}

/** A run against one target: prepares it, runs checks and cleans up. */
export class Run {
  readonly recorder: Recorder;
  readonly secrets = new SecretMasker();
  readonly client: Client;
  readonly #options: RunOptions;
  #prepared: (Omit<PreparedTarget, "source"> & { actors: Actors; resources: Resources }) | undefined;
  readonly #results = new Map<Check["id"], CheckResult>();
  readonly #running = new Set<Check>();
  #isGone = false;
  #isTimeUp = false;
  #isLimitedToFewSessions = false;
  /** The check that failed for each breach of the contract. */
  readonly #breachReporters = new Map<string, Check["id"]>();
  /** Checks that passed, apart from a breach of the contract that another check reported. */
  readonly #passedExceptBreach = new Set<Check["id"]>();
  /** The check that first failed with each symptom. */
  readonly #symptoms = new Map<string, Check["id"]>();
  #recovery: Promise<boolean> | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
    this.recorder = options.recorder ?? new Recorder(options.keepExchanges);
    const { target } = options;
    const open = getOpenContract();
    this.client = new Client({
      ...target,
      open,
      ...(target.isStrict ? { strict: getStrictContract(target.knownAnswers as Profile) } : {}),
      routes: new RouteTable(open.document, target.knownAnswers),
      recorder: this.recorder,
      secrets: this.secrets,
      validates: options.validates,
      deadline: () => this.#deadline,
      renew: async (as, refusal) => this.#prepared?.actors.renew(as, refusal),
      createProbe: async (operationId) => this.#prepared?.resources.createProbe(operationId) ?? {},
    });
  }

  /** Maximum number of concurrent checks. */
  get concurrency(): number {
    const { politeness, maxConcurrentChecks = defaultConcurrentChecks } = this.#options.target;
    // Checks that log in would end the sessions of concurrent checks.
    return this.#isLimitedToFewSessions ? 1 : Math.min(politeness.concurrency, maxConcurrentChecks);
  }

  /** The checks in progress. */
  get running(): readonly Check[] {
    return [...this.#running];
  }

  get results(): readonly CheckResult[] {
    return [...this.#results.values()];
  }

  #deadline = Infinity;

  /** The reason why checks could not be completed before the deadline. */
  get #timeLimitReason(): string {
    const { requestsPerSecond } = this.#options.target.politeness;
    const pace = `; \`politeness.requestsPerSecond\` in the target file limits the run to ${requestsPerSecond} requests per second`;
    return `the run reached its time limit${Number.isFinite(requestsPerSecond) ? pace : ""}`;
  }

  /**
   * Verifies that the target responds and its users can log in.
   *
   * @throws RunError with the reason if it does not
   */
  async prepare(): Promise<void> {
    this.#deadline = this.#options.deadline ?? Infinity;
    try {
      // Checks report responses that break the contract; the preparation continues after such a response.
      await this.#prepareWith(this.client.withoutValidation());
    } catch (error) {
      if (error instanceof NoResponseError || error instanceof DeadlineExceededError) throw error;
      // A broken clause may explain the error.
      await this.#prepareWith(this.client);
      throw error;
    }
  }

  async #prepareWith(client: Client): Promise<void> {
    const { target, ledger } = this.#options;
    const sessions: { actors?: Actors } = {};
    const { source, ...prepared } = await target.prepare({
      client,
      ledger,
      secrets: this.secrets,
      forgetSessions: () => sessions.actors?.forgetSessions(),
    });
    const actors = (sessions.actors = new Actors(client, source, this.secrets));
    const { region = prepared.region ?? "" } = target;
    const { control } = prepared;
    const resources = new Resources({ ...target, client, actors, ledger, region, control });
    this.#prepared = { ...prepared, actors, resources };
    await resources.readExistingIds();
    this.#isLimitedToFewSessions = this.concurrency > 1 && (await actors.isLimitedToFewSessions());
  }

  /**
   * Runs one check. Never throws: every outcome is a result.
   *
   * @param replay an input to try on its own. If it passes, the failure depends on earlier inputs, and the whole check runs.
   */
  async check(check: Check, replay?: ReplayedCase): Promise<CheckResult> {
    const first = await this.#tryCheck(check, replay);
    if (replay === undefined || first.level !== "passed") return first;
    // A failure may depend on the state of a session. In the original run, the check began with a new session.
    this.#prepared?.actors.forgetSessions();
    const second = await this.#tryCheck(check);
    const both: CheckResult = {
      ...second,
      inputPassed: true,
      durationMs: first.durationMs + second.durationMs,
      requests: first.requests + second.requests,
    };
    this.#results.set(check.id, both);
    return both;
  }

  async #tryCheck(check: Check, replay?: ReplayedCase): Promise<CheckResult> {
    const started = performance.now();
    const recorder = this.recorder.fork();
    let cells: CheckResult["cells"] = [];
    const end = (ending: Ending): CheckResult => {
      const result: CheckResult = {
        check,
        cells,
        durationMs: getElapsedMs(started),
        requests: recorder.total,
        ...ending,
      };
      this.#results.set(check.id, result);
      this.#running.delete(check);
      return result;
    };
    const prepared = this.#prepared;
    if (prepared === undefined) throw new Error("the run has not been prepared");
    const obstacle = this.#findObstacle(check);
    if (obstacle !== undefined) return end(obstacle);
    this.#running.add(check);
    const reportedBy = new Set<Check["id"]>();
    const recording = this.client.withRecorder(recorder, (breach) => {
      const reporter = this.#breachReporters.get(breach);
      const isReported = reporter !== undefined && reporter !== check.id;
      if (isReported) reportedBy.add(reporter);
      return isReported;
    });
    const client = check.isPrecondition === true ? recording.withoutValidation() : recording;
    const { target, seed, runs, shard, confirms = true } = this.#options;
    // Access tokens and keys may take different ways in a deployment.
    const prefersKey = hashText(`${seed}/${check.id}`) % 2 === 1;
    const actors = prepared.actors.withClient(client, prefersKey);
    const begin = (replay?: ReplayedCase) => {
      recorder.beginCheck();
      const context = new CheckContext({
        ...target,
        check,
        findUnmetReason: (need) => this.#missing(need),
        client,
        recorder,
        actors,
        resources: prepared.resources.forCheck(client, actors),
        control: prepared.control,
        seed,
        runs,
        isShard: shard !== undefined,
        deadline: this.#deadline,
        waitForRecovery: () => this.#waitForRecovery(),
        ...(replay === undefined ? {} : { replay }),
      });
      cells = context.cells;
      return context;
    };
    const ending = await this.#runUntilAnswered(check, begin, replay);
    const cause = this.#findReportedCause(check, ending, reportedBy);
    if (cause !== undefined) return end({ level: "blocked", reason: cause });
    const { failure } = ending;
    if (failure === undefined || !confirms || replay !== undefined) return end(ending);
    const { property } = failure;
    const first = { ...ending, cells };
    const second = await this.#runUntilAnswered(check, begin, property);
    return end(second.level === "passed" ? { ...first, failure: { ...failure, isFlaky: true } } : first);
  }

  /**
   * Returns a cause that another check has already reported, because each cause is reported once: the same symptom, a
   * clause that this check is not about, the same problem during setup, the same invalid response, or the failure of a
   * check on which this one depends.
   */
  #findReportedCause(
    check: Check,
    { level, failure, breach, isUnexpected, isSetupFailure, reason = "" }: Ending,
    reportedBy: ReadonlySet<Check["id"]>,
  ) {
    if (breach !== undefined && !this.#breachReporters.has(breach))
      this.#breachReporters.set(breach, check.id);
    const [anyReporter] = reportedBy;
    if (isUnexpected === true && anyReporter !== undefined)
      return `${anyReporter} did not pass either, for the same reason`;
    if (level === "passed")
      for (const id of reportedBy) {
        const broken = this.#results.get(id)?.failure?.clause;
        if (broken === undefined || !check.clauses.includes(broken)) continue;
        this.#passedExceptBreach.add(check.id);
        return `${broken} is broken (reported by ${id})`;
      }
    const symptom = failure === undefined ? undefined : this.#describeSymptom(check, failure);
    const reporter = symptom === undefined ? undefined : this.#symptoms.get(symptom);
    if (reporter !== undefined && reporter !== check.id) return `${symptom} (reported by ${reporter})`;
    if (failure !== undefined || isSetupFailure === true || isUnexpected === true) {
      const blocker = this.#findBlocker(check);
      if (blocker !== undefined) return `${blocker.check.id} did not pass`;
    }
    const { clause } = failure ?? {};
    const first = [...this.#results.values()].find(
      (other) =>
        other.check !== check &&
        (clause === undefined
          ? isSetupFailure === true && other.reason === reason
          : other.failure?.clause === clause && !check.clauses.includes(clause)),
    );
    if (first === undefined) {
      if (symptom !== undefined) this.#symptoms.set(symptom, check.id);
      return undefined;
    }
    return clause === undefined ? reason : `${clause} is broken (reported by ${first.check.id})`;
  }

  /**
   * Returns the first valid request of an operation that the deployment refuses to every caller. Checks of access and of
   * changed roles also send requests that may be refused, but not as the owner.
   */
  #findRefused(
    { id }: Check,
    { setupRequests = [], exchanges }: Pick<Failure, "setupRequests" | "exchanges">,
  ): RefusedRequest | undefined {
    return [...setupRequests, ...exchanges].find(
      (exchange): exchange is RefusedRequest =>
        exchange.operationId !== undefined &&
        exchange.intent === "valid" &&
        (exchange.caller === "owner" || !/^(?:access|sequences)\//.test(id)) &&
        refusalStatuses.includes(exchange.answer?.status ?? 0) &&
        this.recorder.counts.get(exchange.operationId)?.accepted === 0,
    );
  }

  /** Describes a failure by a refused request or else its last response, in the same words for all checks that share it. */
  #describeSymptom(check: Check, failure: Failure): string | undefined {
    const { clause, exchanges } = failure;
    const { operationId, intent, answer } = this.#findRefused(check, failure) ?? exchanges.at(-1) ?? {};
    if (operationId === undefined || answer === undefined) return undefined;
    const { status } = answer;
    const isRefused = status >= (intent === "valid" ? 400 : 500);
    if (isRefused && this.recorder.counts.get(operationId)?.accepted === 0)
      return `${operationId} returns ${status} to every caller`;
    if (intent !== "invalid") return undefined;
    if (status >= 500) return `${operationId} returns ${status} for invalid requests`;
    return status < 300 ? `${operationId} accepts requests that ${clause} requires it to reject` : undefined;
  }

  /** Returns a check that did not pass and on which this one depends. */
  #findBlocker({ after = [] }: Check): CheckResult | undefined {
    // A breach of the contract does not block other checks.
    const nonBlocking = new Set([...this.#breachReporters.values(), ...this.#passedExceptBreach]);
    return after
      .map((id) => this.#results.get(id))
      .find(
        (result) =>
          result !== undefined &&
          ["failed", "blocked", "not-run"].includes(result.level) &&
          !nonBlocking.has(result.check.id),
      );
  }

  /** Why the target does not offer something, as declared or found during the run. */
  #missing(need: Requirement): UnmetRequirementReason | undefined {
    const refusal = need === "invitations" ? this.#prepared?.resources.invitationRefusal : undefined;
    return refusal === undefined ? this.#options.target.findUnmetReason(need) : { untried: refusal };
  }

  /** Why a check cannot run; undefined if it can. */
  #findObstacle(check: Check): Ending | undefined {
    const missing = check.needs.map((need) => this.#missing(need)).find((reason) => reason !== undefined);
    if (typeof missing === "string") return { level: "not-declared", reason: missing };
    // A precondition that cannot be tried blocks no other checks; those with the same need cannot be tried anyway.
    if (missing !== undefined)
      return { level: check.isPrecondition ? "not-declared" : "not-run", reason: missing.untried };
    if (this.#isTimeUp || Date.now() >= this.#deadline)
      return { level: "not-run", reason: this.#timeLimitReason };
    const precondition = [...this.#results.values()].find(
      (result) => result.check.isPrecondition === true && !["passed", "not-declared"].includes(result.level),
    );
    if (precondition !== undefined && check.isPrecondition !== true)
      return { level: "blocked", reason: precondition.reason ?? `${precondition.check.id} did not pass` };
    return this.#isGone ? { level: "not-run", reason: "the deployment has stopped responding" } : undefined;
  }

  /**
   * Runs a check and removes what it created. If the deployment stopped responding during the check and recovers, the check
   * starts again.
   */
  async #runUntilAnswered(
    check: Check,
    begin: (replay?: ReplayedCase) => CheckContext,
    replay?: ReplayedCase,
  ): Promise<Ending> {
    for (let start = 1; ; start++) {
      const context = begin(replay);
      const { resources } = context;
      // The check's resources count against limits until they are removed.
      const { ending, canContinue } = await resources.withLocks(check.needs, async () => {
        const started = performance.now();
        const ending = await this.#runOnce(check, context, replay !== undefined);
        const canContinue = ending.isUnanswered !== true || (await this.#waitForRecovery());
        if (canContinue) await resources.removeCreated();
        return { ending: { ...ending, durationMs: getElapsedMs(started) }, canContinue };
      });
      if (ending.isUnanswered !== true || !canContinue || start === maxStarts) return ending;
    }
  }

  /** Waits until the deployment responds again; does not wait a second time for a deployment that did not recover. */
  async #waitForRecovery(): Promise<boolean> {
    if (this.#isGone) return false;
    this.#recovery ??= this.#pollHealth().finally(() => (this.#recovery = undefined));
    return this.#recovery;
  }

  async #pollHealth(): Promise<boolean> {
    const until = Math.min(Date.now() + (this.#options.target.outageMs ?? defaultOutageMs), this.#deadline);
    for (let attempt = 0; ; attempt++) {
      const response = await this.client.send("GET", "/health", { skipRetries: true }).catch(() => undefined);
      if (response !== undefined && getRetryPlan(response, 0) === undefined) return true;
      if (Date.now() >= until) {
        this.#isGone = true;
        return false;
      }
      await sleep(Math.min(getBackoffMs(attempt), 1000));
    }
  }

  /** Runs a check and interprets its outcome. */
  async #runOnce(check: Check, context: CheckContext, isReplay: boolean): Promise<Ending> {
    try {
      await check.run(context);
      await context.cleanUp();
    } catch (error) {
      const { evidence } = context;
      const refused = this.#findRefused(check, evidence);
      if (error instanceof ClauseViolation) {
        const violation =
          refused === undefined || error.breach !== undefined ? error : createRefusalViolation(refused);
        const { clause, expected, actual, comparison, breach, message } = violation;
        const failure = { clause, expected, actual, ...(comparison && { comparison }), ...evidence };
        return { level: "failed", reason: message, ...(breach !== undefined && { breach }), failure };
      }
      if (error instanceof NotOfferedError) return { level: "not-declared", reason: error.message };
      if (error instanceof NoResponseError)
        return { level: "not-run", reason: error.message, isUnanswered: true };
      if (error instanceof DeadlineExceededError) {
        this.#isTimeUp = true;
        return { level: "not-run", reason: this.#timeLimitReason };
      }
      if (error instanceof RunError) return { level: "not-run", reason: error.message, isSetupFailure: true };
      // The check expected fields that a refusal does not have.
      const { operationId, intent, answer } = refused ?? evidence.exchanges.at(-1) ?? {};
      if (operationId !== undefined && intent === "valid" && answer !== undefined && answer.status >= 400) {
        const reason = `${operationId} returned ${answer.status}, so the check could not continue`;
        return { level: "not-run", reason, isSetupFailure: true, isUnexpected: true };
      }
      debug("%s: %o", check.id, error);
      const after = operationId === undefined ? "" : ` after ${operationId}`;
      const advice = "run it with NODE_DEBUG=data-service to see where";
      const reason = `the check threw an error${after}: ${String(error)}; ${advice}`;
      return { level: "not-run", reason, isUnexpected: true };
    }
    const untested = check.clauses.filter((clause) => !context.exercised.has(clause));
    if (untested.length > 0 && !isReplay)
      return { level: "not-run", reason: `${untested.join(", ")} could not be tested` };
    return { level: "passed" };
  }

  /** Lists what the run has created and not removed. @param reason why it will not be removed */
  listRemaining(reason: string): readonly LeftoverResource[] {
    return this.#options.ledger.remaining.map((entry) => ({ entry, reason }));
  }

  /**
   * Removes what the run has created, in time that is reserved for it after the deadline of the checks. Returns what
   * could not be removed.
   */
  async cleanUp(): Promise<readonly LeftoverResource[]> {
    this.#deadline = this.#options.cleanUpDeadline ?? Infinity;
    this.#isGone = false;
    const { ledger } = this.#options;
    const left = await removeAllResources({ client: this.client, actors: this.#prepared?.actors, ledger });
    ledger.close();
    return [...left, ...(this.#prepared?.resources.unremovable ?? [])];
  }
}
