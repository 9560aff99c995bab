import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { hashText } from "../../openapi/text/hash-text.js";
import { type Input, type InputNameTree, nameInputs } from "./name-inputs.js";
import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import type { OperationId } from "../../openapi/operations/register.js";

import type { ApiResponse, CallOptions, Caller, Client } from "../client/client.js";
import { type ValueComparison, createValueComparison } from "../client/value-comparison.js";
import type { Exchange } from "../client/exchange.js";
import { stringifyJson } from "../client/json-text.js";
import type { Recorder } from "../client/recorder.js";
import type { ActorName, Requirement } from "../target/requirements.js";
import { defaultTimeouts } from "../target/target-file.js";
import type { Resources } from "../resources/resources.js";
import type { ControlPlaneClient } from "../target/control-plane-client.js";
import type { Actors } from "../target/actors.js";
import type { Target } from "../target/target.js";
import {
  ClauseViolation,
  NoResponseError,
  NotOfferedError,
  DeadlineExceededError,
  RunError,
} from "../client/violation.js";

/** Everything needed to reproduce the failure of a property. */
export interface FailedProperty {
  /** Index of the property in the check. */
  readonly index: number;
  readonly seed: number;
  /** fast-check's path to the counterexample. */
  readonly path: string;
  /** The shrunk input, printed. */
  readonly counterexample: string;
  /** The shrunk input by name, if the property names its inputs. */
  readonly inputs?: readonly Input[];
}

/** Details of a failure, for the runner. */
export interface FailureEvidence {
  readonly exchanges: readonly Exchange[];
  /** The exchanges before the first example of a property. */
  readonly setupRequests: readonly Exchange[];
  readonly property?: FailedProperty;
}

/** The case to reproduce, instead of random inputs. */
export type ReplayedCase = Pick<FailedProperty, "index" | "seed" | "path">;

/** One cell of the access matrix: whether a caller may call an operation, and the outcome of the call. */
export interface AccessMatrixCell {
  readonly operationId: OperationId;
  readonly caller: string;
  /** What the specification says; `open` if it says nothing. */
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
  readonly control: ControlPlaneClient | undefined;
  /** Seed of the run; each property of each check has its own, derived from it. */
  readonly seed: number;
  /** Number of inputs tried per property. */
  readonly runs: number;
  readonly deadline: number;
  readonly replay?: ReplayedCase;
  /** Waits for a deployment that has stopped responding; returns whether it responds again. */
  readonly waitForRecovery?: () => Promise<boolean>;
}

/** Options of a property. */
export interface PropertyOptions<Inputs extends [unknown, ...unknown[]]> {
  /** Share of the run's number of random inputs, for costly properties (default 1); at least one input is tried. */
  readonly share?: number;
  /** Inputs that are always tried first. */
  readonly examples?: Inputs[];
  /** Names of the inputs in reports. */
  readonly names?: { readonly [Index in keyof Inputs]: InputNameTree };
}

/** Whether the expectation of a failure is about the status of a response, as those of the assertions below. */
export function isAboutStatus(expected: string): boolean {
  return /\bstatus\b|\(4xx\)|refus|reject/i.test(expected);
}

/** What a check works with: a client, actors, resources and assertions. */
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

  /** Whether sizes and messages must match the strict document exactly; other deployments get a margin. */
  get isStrict(): boolean {
    return this.#options.isStrict;
  }

  /** How far a count may lag behind writes, in milliseconds. */
  get countLagMs(): number {
    return this.#options.countLagMs ?? defaultTimeouts.countLagMs;
  }

  /** Whether the target offers something that the check can use but does not require. */
  offers(need: Requirement): boolean {
    return this.#options.missing(need) === undefined;
  }

  /**
   * The deployment's answer to a gap, if the target file or the emulator provides it. A check may use it to choose what
   * it tries; without it, the check must accept every answer.
   */
  known<Id extends GapId>(gap: Id): AnswerTo<Id> | undefined {
    return this.#options.known[gap];
  }

  /** Whether access tokens give access to items and entities, according to the target file or the first request. */
  async canUseTokensForData(): Promise<boolean> {
    await this.resources.getDefaultCaller("queryItems");
    return this.actors.canUseTokensForData;
  }

  /** Ends the check if it needs data of organizations for which the run has no API keys. */
  async needTokensForData(): Promise<void> {
    if (!(await this.canUseTokensForData()))
      this.notOffered(
        "on this deployment, access tokens give no access to items, and the run has no API keys for other organizations",
      );
  }

  /** Ends the check as not declared, because the deployment does not offer an optional feature. */
  notOffered(reason: string): never {
    throw new NotOfferedError(reason);
  }

  /** The clauses exercised so far. */
  get exercised(): ReadonlySet<ClauseId> {
    return this.#exercised;
  }

  /** Details of the failure that ended the check. */
  get evidence(): FailureEvidence {
    const { recent, setupRequests } = this.#options.recorder;
    return this.#evidence ?? { exchanges: [...recent], setupRequests };
  }

  /** The control plane of the emulator; only for checks that need `control-plane`. */
  get control(): ControlPlaneClient {
    if (this.#options.control === undefined)
      throw new Error(`${this.#options.check.id} uses the control plane without declaring that it needs it`);
    return this.#options.control;
  }

  /** Calls an operation; see {@link Resources.call}. */
  call(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    return this.resources.call(operationId, call);
  }

  /** Returns a user of the run, logged in. */
  actor(name: ActorName): Promise<Caller> {
    return this.actors.getCaller(name);
  }

  /** Work to do at the end of the current try or, outside a property, of the check. */
  get endings(): (() => Promise<void>)[] {
    return this.#endings;
  }

  /** Does the work of {@link endings}. */
  async end(): Promise<void> {
    for (const ending of this.#endings.splice(0)) await ending();
  }

  /** Marks the requests so far as setup. */
  markSetUpDone(): void {
    this.#options.recorder.markSetUpDone();
  }

  /**
   * Asserts that a clause holds.
   *
   * @param comparison compares the two values, if the clause demands that they are equal
   * @throws ClauseViolation when it does not hold
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
   * Counts clauses about the form of an answer as exercised: the client validates every answer against the contract and
   * throws if it does not match.
   */
  assertForm(...clauses: readonly ClauseId[]): void {
    for (const clause of clauses) this.#exercised.add(clause);
  }

  /** Asserts a status, or any success if the specification names none, and returns the answer. */
  assertStatus(clause: ClauseId, answer: ApiResponse, status: number | "2XX"): ApiResponse {
    const isIt = status === "2XX" ? isSuccess(answer) : answer.status === status;
    this.assert(clause, isIt, `status ${status}`, formatAnswer(answer));
    return answer;
  }

  /** Asserts that a request was refused as a client error, with any 4xx status. */
  assertRefused(clause: ClauseId, answer: ApiResponse, because: string): ApiResponse {
    const refused = isClientError(answer);
    this.assert(clause, refused, `a rejection (4xx): ${because}`, formatAnswer(answer));
    return answer;
  }

  /** Calls an operation and asserts its status; see {@link assertStatus}. */
  async assertSuccess(
    clause: ClauseId,
    operationId: OperationId,
    call: CallOptions = {},
    status: number | "2XX" = 200,
  ): Promise<ApiResponse> {
    return this.assertStatus(clause, await this.call(operationId, call), status);
  }

  /** Calls an operation with a deliberate fault and asserts that it is refused; see {@link assertRefused}. */
  async assertRefusal(
    clause: ClauseId,
    operationId: OperationId,
    call: Omit<CallOptions, "intent">,
    because: string,
  ): Promise<ApiResponse> {
    const answer = await this.call(operationId, { ...call, intent: "invalid" });
    return this.assertRefused(clause, answer, because);
  }

  /** Asserts that two JSON values are equal, ignoring the order of fields. */
  assertEqual<Value>(clause: ClauseId, seen: Value, expected: Value, what: string): void {
    const isEqual = isDeepStrictEqual(seen, expected);
    const wanted = isEqual ? what : `${what}: ${formatValue(expected)}`;
    this.assert(clause, isEqual, wanted, seen, () => createValueComparison(what, expected, seen));
  }

  /**
   * Tests a property with generated inputs. Tries must be independent: names and keys come from `resources`. Inputs must
   * not contain names, keys or tokens, which differ between runs, so that a failure can be reproduced with its input.
   *
   * @throws ClauseViolation with the smallest failing input found
   */
  async property<Inputs extends [unknown, ...unknown[]]>(
    arbitraries: { readonly [Index in keyof Inputs]: fc.Arbitrary<Inputs[Index]> },
    holds: (...inputs: Inputs) => Promise<void>,
    { share = 1, examples = [], names }: PropertyOptions<NoInfer<Inputs>> = {},
  ): Promise<void> {
    const { recorder, runs, seed, check, replay, deadline } = this.#options;
    const index = this.#properties++;
    if (replay !== undefined && replay.index !== index) return;
    const outer = this.#endings;
    let stopped: unknown;
    let tried = 0;
    let smallest: { violation: ClauseViolation; exchanges: readonly Exchange[] } | undefined;
    const property = fc.asyncProperty(
      ...(arbitraries as unknown as [fc.Arbitrary<unknown>]),
      async (...inputs: unknown[]) => {
        // a replay tries only one input and does not shrink it
        if (stopped !== undefined || (replay !== undefined && tried++ > 0)) return;
        try {
          await this.patiently(async () => {
            recorder.beginExample();
            this.#endings = [];
            await holds(...(inputs as Inputs));
            await this.end();
          });
        } catch (error) {
          if (error instanceof ClauseViolation) {
            // fast-check continues only from failing inputs, so the last one is the smallest
            smallest = { violation: error, exchanges: [...recorder.recent] };
            throw error;
          }
          // other errors do not depend on the input, so there is nothing to shrink
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
      this.#evidence = {
        exchanges: smallest.exchanges,
        setupRequests: recorder.setupRequests,
        property: {
          index,
          seed: propertySeed,
          path: details.counterexamplePath ?? "",
          counterexample: fc.stringify(details.counterexample),
          ...(names === undefined || again === null ? {} : { inputs: nameInputs(names, again) }),
        },
      };
      throw smallest.violation;
    }
    if (details.interrupted) throw new DeadlineExceededError("the run reached its time limit");
    if (details.failed)
      throw new RunError(`a property could not be tested: ${String(details.errorInstance)}`);
  }

  /** Repeats a try that got no answer once the deployment answers again; tries are independent. */
  async patiently(tryIt: () => Promise<void>): Promise<void> {
    for (let left = maxRepeats; ; left--) {
      try {
        await tryIt();
        return;
      } catch (error) {
        if (!(error instanceof NoResponseError) || left === 0) throw error;
        if ((await this.#options.waitForRecovery?.()) !== true) throw error;
      }
    }
  }

  /** Returns a number derived from the seed of the run and a name, for choices outside properties. */
  seedFor(name: string): number {
    return deriveSeed(this.#options.seed, `${this.#options.check.id} ${name}`, 0);
  }
}

/** Seeds differ between properties and are the same for the same run seed. */
function deriveSeed(seed: number, id: string, index: number): number {
  return hashText(`${seed}/${id}/${index}`);
}

/** Maximum number of repetitions of a try that got no answer. */
const maxRepeats = 4;

const maxDescriptionLength = 600;

/** Formats a value in shortened form; reports show the exchanges in full. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength)}…` : text;
}

/** Formats an answer. */
export function formatAnswer({ status, text }: ApiResponse): string {
  return `status ${status}${text === "" ? "" : ` with ${text}`}`;
}
