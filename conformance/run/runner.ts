import type { Profile } from "../../openapi/profile.js";
import type { Check } from "../check.js";
import { Client } from "../client/client.js";
import { openContract, strictContract } from "../client/contracts.js";
import { Recorder } from "../client/recorder.js";
import { Routes } from "../client/routes.js";
import { Secrets } from "../client/secrets.js";
import { CheckContext, type Replay } from "../context.js";
import type { Ledger } from "../resources/ledger.js";
import { type LeftBehind, removeAll } from "../resources/remove-all.js";
import { Resources } from "../resources/resources.js";
import { Actors } from "../target/actors.js";
import type { ControlPlane } from "../target/control-plane.js";
import type { Target } from "../target/target.js";
import { ClauseViolation, NoAnswer, NotOffered, OutOfTime, RunTrouble } from "../violation.js";
import type { CheckResult } from "./result.js";

export interface RunOptions {
  readonly target: Target;
  readonly ledger: Ledger;
  /** Same seed, same generated inputs. */
  readonly seed: number;
  /** How often each property is tried. */
  readonly runs: number;
  /** When the run has to be over, as milliseconds since 1970. */
  readonly deadline?: number;
  /** How many exchanges are kept for `exchanges.har`; none without this. */
  readonly keepExchanges?: number;
}

/** Connections that fail one after the other end a run: the deployment is gone. */
const mostTroubles = 3;

/** A run against one target: prepares it, runs checks one after the other, and cleans up. */
export class Run {
  readonly recorder: Recorder;
  readonly secrets = new Secrets();
  readonly #options: RunOptions;
  readonly #client: Client;
  #prepared: { actors: Actors; resources: Resources; control: ControlPlane | undefined } | undefined;
  readonly #results = new Map<Check["id"], CheckResult>();
  #troubles = 0;

  constructor(options: RunOptions) {
    this.#options = options;
    this.recorder = new Recorder(options.keepExchanges);
    const { target } = options;
    const open = openContract();
    this.#client = new Client({
      baseUrl: target.baseUrl,
      fetch: target.fetch,
      open,
      ...(target.isStrict ? { strict: strictContract(target.known as Profile) } : {}),
      routes: new Routes(open.document, target.known),
      recorder: this.recorder,
      secrets: this.secrets,
      politeness: target.politeness,
      readLagMs: target.readLagMs ?? 0,
      timeoutMs: target.timeoutMs,
      deadline: () => this.#deadline,
    });
  }

  get client(): Client {
    return this.#client;
  }

  get results(): readonly CheckResult[] {
    return [...this.#results.values()];
  }

  #deadline = Infinity;

  /**
   * Makes sure that the target answers and its users can log in.
   *
   * @throws RunTrouble when it does not, saying why
   */
  async prepare(): Promise<void> {
    this.#deadline = this.#options.deadline ?? Infinity;
    const { target, ledger } = this.#options;
    const sessions: { actors?: Actors } = {};
    const { source, control } = await target.prepare({
      client: this.#client,
      ledger,
      secrets: this.secrets,
      forget: () => sessions.actors?.forget(),
    });
    const actors = (sessions.actors = new Actors(this.#client, source, this.secrets));
    const { databaseId, region, databaseReadyMs } = target;
    const resources = new Resources({
      client: this.#client,
      actors,
      ledger,
      region,
      databaseReadyMs,
      known: target.known,
      ...(control === undefined ? {} : { control }),
      ...(databaseId === undefined ? {} : { databaseId }),
    });
    this.#prepared = { actors, resources, control };
    await actors.session("owner");
  }

  /**
   * Runs one check. Never throws: whatever happens is a result.
   *
   * @param replay an input to try by itself. When it holds, the failure needed what came before it, and the whole check
   *   is run.
   */
  async check(check: Check, replay?: Replay): Promise<CheckResult> {
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

  async #try(check: Check, replay?: Replay): Promise<CheckResult> {
    const started = performance.now();
    const before = this.recorder.total;
    this.recorder.forget();
    let cells: CheckResult["cells"] = [];
    const end = (rest: Pick<CheckResult, "level" | "reason" | "failure">): CheckResult => {
      const result: CheckResult = {
        check,
        cells,
        durationMs: performance.now() - started,
        requests: this.recorder.total - before,
        ...rest,
      };
      this.#results.set(check.id, result);
      return result;
    };
    if (this.#prepared === undefined) throw new Error("the run is not prepared");
    const { target, seed, runs } = this.#options;
    const missing = check.needs.map((need) => target.missing(need)).find((reason) => reason !== undefined);
    if (missing !== undefined) return end({ level: "not-declared", reason: missing });
    const blocker = (check.after ?? [])
      .map((id) => this.#results.get(id))
      .find((result) => result !== undefined && ["failed", "blocked", "not-run"].includes(result.level));
    if (blocker !== undefined) return end({ level: "blocked", reason: `${blocker.check.id} did not pass` });
    const presumed = [...this.#results.values()].find(
      (result) => result.check.isPresumption === true && !["passed", "not-declared"].includes(result.level),
    );
    if (presumed !== undefined && check.isPresumption !== true)
      return end({ level: "blocked", reason: presumed.reason ?? `${presumed.check.id} did not pass` });
    if (this.#troubles >= mostTroubles)
      return end({ level: "not-run", reason: "the deployment has stopped answering" });
    const context = new CheckContext({
      check,
      missing: target.missing,
      isStrict: target.isStrict,
      known: target.known,
      client: this.#client,
      recorder: this.recorder,
      ...this.#prepared,
      seed,
      runs,
      deadline: this.#deadline,
      ...(replay === undefined ? {} : { replay }),
    });
    cells = context.cells;
    const result = end(await this.#judge(check, context, replay !== undefined));
    if (this.#troubles === 0) await this.#prepared.resources.removeOwn();
    return result;
  }

  /** Runs a check, and says what its end means. */
  async #judge(
    check: Check,
    context: CheckContext,
    isReplay: boolean,
  ): Promise<Pick<CheckResult, "level" | "reason" | "failure">> {
    try {
      await check.run(context);
    } catch (error) {
      if (error instanceof ClauseViolation) {
        this.#troubles = 0;
        const { clause, expected, seen } = error;
        return {
          level: "failed",
          reason: error.message,
          failure: { clause, expected, seen, ...context.evidence },
        };
      }
      if (error instanceof NotOffered) return { level: "not-declared", reason: error.message };
      if (error instanceof NoAnswer) this.#troubles++;
      if (error instanceof OutOfTime || error instanceof RunTrouble)
        return { level: "not-run", reason: error.message };
      return { level: "not-run", reason: `the check itself failed: ${stackOf(error)}` };
    }
    this.#troubles = 0;
    const idle = check.clauses.filter((clause) => !context.exercised.has(clause));
    if (idle.length > 0 && !isReplay)
      return { level: "not-run", reason: `${idle.join(", ")} could not be put to the test` };
    return { level: "passed" };
  }

  /** Removes what the run has made; also after its time is up. Returns what is left, with the reason. */
  async cleanUp(): Promise<readonly LeftBehind[]> {
    this.#deadline = Infinity;
    const { ledger } = this.#options;
    const left = await removeAll({ client: this.#client, actors: this.#prepared?.actors, ledger });
    ledger.close();
    return left;
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
