import { openContract, strictContract } from "../client/contracts.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Check, Need } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { RunTrouble } from "../client/violation.js";
import { instantOf } from "../steps/instant-of.js";
import type { LeftBehind } from "../resources/remove-all.js";
import { Run } from "../run/runner.js";
import type { Ledger } from "../target/ledger.js";
import type { Missing, Target } from "../target/target.js";
import type { History } from "./command.js";
import { givenHistories } from "./given-histories.js";
import {
  type Difference,
  givenName,
  type HistoryOptions,
  type HistoryResult,
  runHistory,
} from "./run-history.js";
import { AnswerSchemas } from "./schema-of-answer.js";
import { Side } from "./side.js";

/** A deployment, and the ledger of what is made on it. */
export interface PairSide {
  readonly target: Target;
  readonly ledger: Ledger;
}

export interface PairOptions {
  readonly sides: readonly [PairSide, PairSide];
  /** What all names that are made begin with. */
  readonly mark: string;
  /** The id of the run in which the histories were recorded: as long as the mark and a number. */
  readonly recorded: string;
  /** When no history may go on, as milliseconds since 1970. */
  readonly deadline?: number;
}

/** How long answers that may still change are read again on deployments. */
const longestPatienceMs = 5000;

/** An emulator's figures are right at once. */
const emulatorPatienceMs = 20;

/** What came of a history: it was run, or it was not. */
export type Ending =
  | { readonly kind: "run"; readonly result: HistoryResult }
  | { readonly kind: "left out" | "troubled"; readonly reason: string };

/** Two deployments that are taken through the same histories. */
export class Pair {
  readonly runs: readonly [Run, Run];
  readonly #options: PairOptions;
  readonly schemas: AnswerSchemas;
  #executions = 0;
  #disappointed = false;
  #began: readonly [number, number] = [-Infinity, -Infinity];
  #given: ReadonlySet<string> = new Set();

  constructor(options: PairOptions) {
    this.#options = options;
    const runOf = ({ target, ledger }: PairSide) =>
      new Run({
        target,
        ledger,
        seed: 1,
        runs: 1,
        confirms: false,
        judges: false,
        ...(options.deadline === undefined ? {} : { deadline: options.deadline }),
      });
    const [first, second] = options.sides;
    this.runs = [runOf(first), runOf(second)];
    const strict = [second, first].find(({ target }) => target.isStrict);
    const contract = strict === undefined ? openContract() : strictContract(strict.target.known as Profile);
    this.schemas = new AnswerSchemas(contract.document);
  }

  /** Makes sure that both answer, and that users can log in. */
  async prepare(): Promise<void> {
    for (const run of this.runs) await run.prepare();
    if (this.areEmulators) return;
    this.#began = [await this.#nowOf(0), await this.#nowOf(1)];
  }

  /**
   * What the clock of a side says, as far as anybody can tell: that of an emulator by its control plane, that of a
   * deployment by the database that the run makes first.
   */
  async #nowOf(index: 0 | 1): Promise<number> {
    const { target } = this.#options.sides[index];
    if (target.isStrict) return emulatorNow(target);
    let now: number | undefined;
    if (target.databaseId === undefined)
      await this.runs[index].check({
        id: "given/clock" as Check["id"],
        title: "What time it is",
        clauses: [],
        needs: ["database"],
        run: async (context) => {
          const path = { databaseId: await context.resources.database() };
          const answer = await context.call("getDatabase", { setUp: true, path });
          now = instantOf((answer.body as { readonly createdAt?: unknown } | undefined)?.createdAt);
        },
      });
    return now ?? Date.now() - clockSkewMs;
  }

  /**
   * Reads what the accounts of the two sides were given before the run: names, plans, ceilings. Where it differs it is no
   * difference of the deployments, and does not count afterwards.
   */
  async readGiven(): Promise<readonly Difference[]> {
    if (this.areEmulators) return [];
    const found: Difference[] = [];
    for (const history of givenHistories) {
      const ending = await this.run(history);
      if (ending.kind === "run") found.push(...ending.result.differences);
    }
    const given = found.filter(({ pointer }) => !pointer.startsWith("header:"));
    this.#given = new Set(given.map(givenName));
    return given;
  }

  /** Why something is not to be used: one of the sides does not offer it. */
  missing(need: Need): Missing | undefined {
    const [first, second] = this.#options.sides;
    return first.target.missing(need) ?? second.target.missing(need);
  }

  /** Takes both through a history. Never throws for what a deployment does. */
  async run(history: History, options: Pick<HistoryOptions, "until" | "pauseMs"> = {}): Promise<Ending> {
    const [first, second] = this.runs;
    let result: HistoryResult | undefined;
    const check = (run: Check["run"]): Check => ({
      id: history.id as Check["id"],
      title: history.title,
      clauses: [],
      needs: history.needs,
      run,
    });
    const inner = async (mine: CheckContext) => {
      const ending = await second.check(
        check(async (theirs) => {
          result = await this.#execute(history, [mine, theirs], options);
        }),
      );
      if (ending.level !== "passed") throw new RunTrouble(`${ending.level}: ${ending.reason ?? ""}`);
    };
    const { level, reason = "" } = await first.check(check(inner));
    if (level === "passed" && result !== undefined) return { kind: "run", result };
    return {
      kind: level === "not-declared" || reason.startsWith("not-declared") ? "left out" : "troubled",
      reason,
    };
  }

  async #execute(
    history: History,
    contexts: readonly [CheckContext, CheckContext],
    options: Pick<HistoryOptions, "until" | "pauseMs">,
  ): Promise<HistoryResult> {
    const { mark, recorded } = this.#options;
    const number = (this.#executions++).toString(36).padStart(recorded.length - mark.length, "0");
    const execution = mark + number.slice(mark.length - recorded.length);
    const ids = { recorded, now: execution };
    const [mine, theirs] = await Promise.all(this.runs.map((run) => run.forObservers()));
    const sides = [new Side(contexts[0], mine ?? {}, ids), new Side(contexts[1], theirs ?? {}, ids)] as const;
    const result = await runHistory(history, sides, {
      ...options,
      schemas: this.schemas,
      execution,
      isAlone: this.areEmulators,
      began: this.#began,
      given: this.#given,
      patienceMs: this.#patienceMs(),
    });
    // what stayed different all that time will do so again
    this.#disappointed ||= result.differences.some(({ mayPass }) => mayPass);
    return result;
  }

  /** Whether both sides are emulators, whose clocks and figures are exact. */
  get areEmulators(): boolean {
    return this.#options.sides.every(({ target }) => target.isStrict);
  }

  #patienceMs(): number {
    return this.areEmulators || this.#disappointed ? emulatorPatienceMs : longestPatienceMs;
  }

  /** Removes what was made on both sides. Returns what is left. */
  async cleanUp(): Promise<readonly LeftBehind[]> {
    const left: LeftBehind[] = [];
    for (const run of this.runs) left.push(...(await run.cleanUp()));
    return left;
  }
}

/** How far a deployment's clock may be off. */
const clockSkewMs = 60_000;

async function emulatorNow({ baseUrl, fetch }: Target): Promise<number> {
  const response = await fetch(`${baseUrl}/_emulator/clock`, {});
  const { now } = (await response.json()) as { readonly now: string };
  return Date.parse(now);
}
