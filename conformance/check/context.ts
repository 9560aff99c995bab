import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { isRefused } from "../client/is-refused.js";
import { isSuccess } from "../client/is-success.js";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { hashText } from "./hash.js";
import { type Input, type InputName, nameInputs } from "./name-inputs.js";
import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import type { OperationId } from "../../openapi/operations/register.js";

import type { Answer, Call, Caller, Client } from "../client/client.js";
import { type ValueComparison, createValueComparison } from "../client/value-comparison.js";
import type { Exchange } from "../client/exchange.js";
import { stringifyJson } from "../client/json-text.js";
import type { Recorder } from "../client/recorder.js";
import type { ActorName, Requirement } from "../target/needs.js";
import { defaultTimeouts } from "../target/target-file.js";
import type { Resources } from "../resources/resources.js";
import type { ControlPlane } from "../target/control-plane.js";
import type { Actors } from "../target/actors.js";
import type { Target } from "../target/target.js";
import {
  ClauseViolation,
  NoResponseError,
  NotOfferedError,
  DeadlineExceededError,
  RunError,
} from "../client/violation.js";

/** How a property failed, beside the violation: enough to come back to exactly this case. */
export interface FailedProperty {
  /** Which property of the check, from 0 on. */
  readonly index: number;
  readonly seed: number;
  /** fast-check's path to the counterexample. */
  readonly path: string;
  /** The shrunk input, printed. */
  readonly counterexample: string;
  /** The same by name, where the property names its inputs. */
  readonly inputs?: readonly Input[];
  readonly shrinks: number;
  /** The smallest input was tried once more, and held. */
  readonly heldAgain?: true;
}

/** What the runner learns about a failure. */
export interface FailureEvidence {
  readonly exchanges: readonly Exchange[];
  /** What was sent before the first example of a property. */
  readonly setupRequests: readonly Exchange[];
  readonly property?: FailedProperty;
}

/** The case to come back to, in place of random ones. */
export interface ReplayedCase {
  readonly property: number;
  readonly seed: number;
  readonly path: string;
}

/** One cell of the access matrix: what a caller may do, and what happened. */
export interface AccessMatrixCell {
  readonly operationId: OperationId;
  readonly caller: string;
  /** What the specification says; `open` where it says nothing. */
  readonly expected: "allowed" | "refused" | "open";
  readonly status: number;
}

export interface ContextOptions extends Pick<Target, "missing" | "isStrict" | "countLagMs" | "known"> {
  /** The check that runs in the context. */
  readonly check: { readonly id: string };
  readonly client: Client;
  readonly recorder: Recorder;
  readonly actors: Actors;
  readonly resources: Resources;
  readonly control: ControlPlane | undefined;
  /** Seed of the run; each property of each check has its own, derived from it. */
  readonly seed: number;
  /** How often a property is tried. */
  readonly runs: number;
  readonly deadline: number;
  readonly replay?: ReplayedCase;
  /** Whether the smallest input of a failure is tried once more. */
  readonly confirms?: boolean;
  /** Told of every try of a property. */
  readonly onTry?: () => void;
  /** Waits for a deployment that does not answer. Returns whether it is back. */
  readonly revive?: () => Promise<boolean>;
}

/** How a property is tried. */
export interface PropertyOptions<Inputs extends [unknown, ...unknown[]]> {
  /** Part of the run's number of random tries, for properties that cost more than others (default 1); at least one. */
  readonly share?: number;
  /** Inputs that are always tried, before the random ones. */
  readonly examples?: Inputs[];
  /** What each input is, for who reads of a failure. */
  readonly names?: { readonly [Index in keyof Inputs]: InputName };
}

/** What a check works with: a client, somebody to be, somewhere to work, and ways to say what must hold. */
export class CheckContext {
  readonly client: Client;
  readonly resources: Resources;
  readonly actors: Actors;
  readonly runs: number;
  readonly #options: ContextOptions;
  readonly cells: AccessMatrixCell[] = [];
  readonly #exercised = new Set<ClauseId>();
  #endings: (() => Promise<void>)[] = [];
  #properties = 0;
  #evidence: FailureEvidence | undefined;

  constructor(options: ContextOptions) {
    this.#options = options;
    this.client = options.client;
    this.resources = options.resources;
    this.actors = options.actors;
    this.runs = options.runs;
  }

  /** Whether sizes and messages are those of the strict document; a foreign deployment gets a margin. */
  get isStrict(): boolean {
    return this.#options.isStrict;
  }

  /** Milliseconds for which a figure may lag behind what it counts. */
  get countLagMs(): number {
    return this.#options.countLagMs ?? defaultTimeouts.countLagMs;
  }

  /** Whether the target offers something that the check can do without. */
  offers(need: Requirement): boolean {
    return this.#options.missing(need) === undefined;
  }

  /**
   * The deployment's answer to a gap, where the target file (or the emulator) tells it. A check may use it to find its
   * way, and to leave out what cannot be tried; without it the check has to bear every answer.
   */
  known<Id extends GapId>(gap: Id): AnswerTo<Id> | undefined {
    return this.#options.known[gap];
  }

  /** Whether access tokens open items and entities, as the target file says or the first look has shown. */
  async tokensOpenData(): Promise<boolean> {
    await this.resources.workerFor("queryItems");
    return this.actors.tokensOpenData;
  }

  /** Ends the check where it works on data of organizations that the run has no API keys of. */
  async needTokensForData(): Promise<void> {
    if (!(await this.tokensOpenData()))
      this.notOffered("access tokens do not open items here, and the run has no keys of other organizations");
  }

  /** Ends the check as not declared: the deployment turns out not to offer what it is about, as it may. */
  notOffered(reason: string): never {
    throw new NotOfferedError(reason);
  }

  /** The clauses that were put to the test so far. */
  get exercised(): ReadonlySet<ClauseId> {
    return this.#exercised;
  }

  /** What shows the failure that ended the check. */
  get evidence(): FailureEvidence {
    const { recent, setupRequests } = this.#options.recorder;
    return this.#evidence ?? { exchanges: [...recent], setupRequests };
  }

  /** The emulator's control plane; only for checks that need `control-plane`. */
  get control(): ControlPlane {
    if (this.#options.control === undefined)
      throw new Error(`${this.#options.check.id} uses the control plane and does not say that it needs it`);
    return this.#options.control;
  }

  /** Calls an operation, as {@link Resources.call} does. */
  call(operationId: OperationId, call: Call = {}): Promise<Answer> {
    return this.resources.call(operationId, call);
  }

  /** A user of the run, logged in. */
  actor(name: ActorName): Promise<Caller> {
    return this.actors.session(name);
  }

  /** What is to be done when the try that goes on has held, or the check where it is in no try. */
  get endings(): (() => Promise<void>)[] {
    return this.#endings;
  }

  /** Does what is to be done at the end. */
  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0)) await ending();
  }

  /** Marks the requests so far as set-up: a failure from here on has its cause after them. */
  markSetUpDone(): void {
    this.#options.recorder.markSetUpDone();
  }

  /**
   * Asserts that a clause holds.
   *
   * @param comparison lays the values side by side where they are two that should be the same
   * @throws ClauseViolation when it does not
   */
  assert(
    clause: ClauseId,
    holds: boolean,
    expected: string,
    seen: unknown,
    comparison?: () => ValueComparison | undefined,
  ): void {
    this.#exercised.add(clause);
    if (!holds) throw new ClauseViolation(clause, expected, formatValue(seen), comparison?.());
  }

  /**
   * Counts clauses about the form of an answer as put to the test: the client has held the answer against the contract,
   * and throws where it does not fit.
   */
  assertForm(...clauses: readonly ClauseId[]): void {
    for (const clause of clauses) this.#exercised.add(clause);
  }

  /** Asserts a status, or any success where the specification names none, and returns the answer. */
  assertStatus(clause: ClauseId, answer: Answer, status: number | "2XX"): Answer {
    const isIt = status === "2XX" ? isSuccess(answer) : answer.status === status;
    this.assert(clause, isIt, `status ${status}`, describeAnswer(answer));
    return answer;
  }

  /** Asserts that a request was refused as the client's fault, with whatever status. */
  assertRefused(clause: ClauseId, answer: Answer, because: string): Answer {
    const refused = isRefused(answer);
    this.assert(clause, refused, `a refusal (4xx): ${because}`, describeAnswer(answer));
    return answer;
  }

  /** Calls an operation, and asserts the status of its success, as {@link assertStatus} does. */
  async assertSuccess(
    clause: ClauseId,
    operationId: OperationId,
    call: Call = {},
    status: number | "2XX" = 200,
  ): Promise<Answer> {
    return this.assertStatus(clause, await this.call(operationId, call), status);
  }

  /** Calls an operation with a deliberate fault, and asserts that it is refused, as {@link assertRefused} does. */
  async assertRefusal(
    clause: ClauseId,
    operationId: OperationId,
    call: Omit<Call, "intent">,
    because: string,
  ): Promise<Answer> {
    const answer = await this.call(operationId, { ...call, intent: "invalid" });
    return this.assertRefused(clause, answer, because);
  }

  /**
   * Asserts that two JSON values are the same; the order of members does not count.
   *
   * @param shown a value as people know it, where the two are compared in a form of our own
   */
  assertEqual<Value>(
    clause: ClauseId,
    seen: Value,
    expected: Value,
    what: string,
    shown: (value: Value) => unknown = (value) => value,
  ): void {
    if (isDeepStrictEqual(seen, expected)) {
      this.assert(clause, true, what, seen);
      return;
    }
    const [wanted, found] = [shown(expected), shown(seen)];
    this.assert(clause, false, `${what}: ${formatValue(wanted)}`, found, () =>
      createValueComparison(what, wanted, found),
    );
  }

  /**
   * Tries a property with generated inputs. Every try has to stand for itself: names and keys come from `resources`.
   * Inputs hold none of them, nor tokens: those are others in every run, and a failure comes back with the same input.
   *
   * @throws ClauseViolation with the smallest input found that breaks it
   */
  async property<Inputs extends [unknown, ...unknown[]]>(
    arbitraries: { readonly [Index in keyof Inputs]: fc.Arbitrary<Inputs[Index]> },
    holds: (...inputs: Inputs) => Promise<void>,
    { share = 1, examples = [], names }: PropertyOptions<NoInfer<Inputs>> = {},
  ): Promise<void> {
    const { recorder, runs, seed, check, replay, deadline } = this.#options;
    const index = this.#properties++;
    if (replay !== undefined && replay.property !== index) return;
    const outer = this.#endings;
    let stopped: unknown;
    let tried = 0;
    let smallest: { violation: ClauseViolation; exchanges: readonly Exchange[] } | undefined;
    const property = fc.asyncProperty(
      ...(arbitraries as unknown as [fc.Arbitrary<unknown>]),
      async (...inputs: unknown[]) => {
        // a replay is about one input, not about those that stand near it
        if (stopped !== undefined || (replay !== undefined && tried++ > 0)) return;
        this.#options.onTry?.();
        try {
          await this.patiently(async () => {
            recorder.forget();
            this.#endings = [];
            await holds(...(inputs as Inputs));
            await this.end();
          });
        } catch (error) {
          if (error instanceof ClauseViolation) {
            // fast-check goes on from failing inputs only, so the last of them is the smallest
            smallest = { violation: error, exchanges: [...recorder.recent] };
            throw error;
          }
          // no input is to blame for the rest: nothing to shrink
          stopped = error;
        }
      },
    );
    const propertySeed = replay?.seed ?? deriveSeed(seed, check.id, index);
    const details = await fc.check(property, {
      seed: propertySeed,
      // the examples stand first in what a path counts, and come on top of the random inputs
      examples: examples as unknown as [unknown][],
      ...(replay === undefined
        ? { numRuns: examples.length + Math.max(1, Math.ceil(runs * share)) }
        : { path: replay.path, numRuns: 1, endOnFailure: true }),
      interruptAfterTimeLimit: Math.max(1, deadline - Date.now()),
      markInterruptAsFailure: false,
    });
    this.#endings = outer;
    if (stopped !== undefined) throw stopped as Error;
    if (smallest !== undefined) {
      const again = details.counterexample as unknown as Inputs | null;
      const heldAgain =
        this.#options.confirms === true && again !== null && (await this.#holdsNow(() => holds(...again)));
      this.#evidence = {
        exchanges: smallest.exchanges,
        setupRequests: recorder.setupRequests,
        property: {
          index,
          seed: propertySeed,
          path: details.counterexamplePath ?? "",
          counterexample: fc.stringify(details.counterexample),
          ...(names === undefined || again === null ? {} : { inputs: nameInputs(names, again) }),
          shrinks: details.numShrinks,
          ...(heldAgain ? { heldAgain } : {}),
        },
      };
      throw smallest.violation;
    }
    if (details.interrupted) throw new DeadlineExceededError("the time limit of the run was reached");
    if (details.failed) throw new RunError(`a property could not be tried: ${String(details.errorInstance)}`);
  }

  /** Tries something again that got no answer, when the deployment answers again: every try stands for itself. */
  async patiently(tryIt: () => Promise<void>): Promise<void> {
    for (let left = maxRepeats; ; left--) {
      try {
        await tryIt();
        return;
      } catch (error) {
        if (!(error instanceof NoResponseError) || left === 0) throw error;
        if ((await this.#options.revive?.()) !== true) throw error;
      }
    }
  }

  async #holdsNow(tryIt: () => Promise<void>): Promise<boolean> {
    try {
      await tryIt();
      return true;
    } catch {
      return false;
    }
  }

  /** A number that depends on the run's seed and a name, for choices outside properties. */
  seedFor(name: string): number {
    return deriveSeed(this.#options.seed, `${this.#options.check.id} ${name}`, 0);
  }
}

/** Properties differ from each other, and stay the same for a seed. */
function deriveSeed(seed: number, id: string, index: number): number {
  return hashText(`${seed}/${id}/${index}`);
}

/** How often a try that got no answer is begun again. */
const maxRepeats = 4;

const maxDescriptionLength = 600;

/** A value in words, shortened: reports show the exchanges in full. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength)}…` : text;
}

function describeAnswer({ status, text }: Answer): string {
  return `status ${status}${text === "" ? "" : ` with ${text}`}`;
}
