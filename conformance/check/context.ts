import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { hashText } from "../../openapi/text/hash-text.js";
import { formatInputs, type Input } from "./format-inputs.js";
import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { ApiResponse, CallOptions, Caller, Client } from "../client/client.js";
import { type ValueComparison, createValueComparison } from "../client/value-comparison.js";
import type { Exchange } from "../client/exchange.js";
import { stringifyJson } from "../client/json-text.js";
import type { Recorder } from "../client/recorder.js";
import type { ActorName, Requirement } from "../target/requirements.js";
import { defaultObservationBounds, type ObservationBounds } from "../target/observation-bounds.js";
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
  /** The shrunk inputs. */
  readonly inputs: readonly Input[];
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

export interface ContextOptions extends Pick<
  Target,
  "findUnmetReason" | "isStrict" | "countLagMs" | "knownAnswers" | "observationBounds"
> {
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
  /** Whether other shards may run at the same time. */
  readonly isShard?: boolean;
  readonly deadline: number;
  readonly replay?: ReplayedCase;
  /** Waits for a deployment that has stopped responding; returns whether it responds again. */
  readonly waitForRecovery?: () => Promise<boolean>;
}

/** Options of a property. */
export interface PropertyOptions<Inputs> {
  /** Share of the run's number of random inputs, for costly properties (default 1); at least one input is tried. */
  readonly share?: number;
  /** Inputs that are always tried first. */
  readonly examples?: readonly Inputs[];
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
  #cleanups: (() => Promise<void>)[] = [];
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

  /** Whether other shards of the run may use the same users at the same time. */
  get isShard(): boolean {
    return this.#options.isShard === true;
  }

  /** How far a count may lag behind writes, in milliseconds. */
  get countLagMs(): number {
    return this.#options.countLagMs ?? defaultTimeouts.countLagMs;
  }

  /** Limits for costly observations. */
  get observationBounds(): ObservationBounds {
    return { ...defaultObservationBounds, ...this.#options.observationBounds };
  }

  /** Whether the target offers something that the check can use but does not require. */
  offers(need: Requirement): boolean {
    return this.#options.findUnmetReason(need) === undefined;
  }

  /**
   * The deployment's answer to a gap, if the target file or the emulator provides it. A check may use it to choose what
   * it tries; without it, the check must accept every answer.
   */
  knownAnswers<Id extends GapId>(gap: Id): AnswerTo<Id> | undefined {
    return this.#options.knownAnswers[gap];
  }

  /** Whether access tokens give access to items and entities, according to the target file or the first request. */
  async canUseTokensForData(): Promise<boolean> {
    await this.resources.getDefaultCaller("queryItems");
    return this.actors.canUseTokensForData;
  }

  /** Ends the check as not declared if access tokens give no access to items and entities. */
  async requireTokenAccessToData(): Promise<void> {
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

  /** Functions to call at the end of the current try or, outside a property, of the check. */
  get cleanups(): (() => Promise<void>)[] {
    return this.#cleanups;
  }

  /** Calls the {@link cleanups}. */
  async cleanUp(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0)) await cleanup();
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
    actual: unknown,
    comparison?: () => ValueComparison | undefined,
  ): void {
    this.#exercised.add(clause);
    if (!holds) throw new ClauseViolation(clause, expected, formatValue(actual), comparison?.());
  }

  /**
   * Marks clauses about the form of a response as exercised: the client validates every response against the contract,
   * and throws if it does not match.
   */
  markExercised(...clauses: readonly ClauseId[]): void {
    for (const clause of clauses) this.#exercised.add(clause);
  }

  /** Asserts a status, or any success if the specification names none, and returns the response. */
  assertStatus(clause: ClauseId, response: ApiResponse, status: number | "2XX"): ApiResponse {
    const holds = status === "2XX" ? isSuccess(response) : response.status === status;
    this.assert(clause, holds, `status ${status}`, formatResponse(response));
    return response;
  }

  /**
   * Asserts that a request was rejected, and returns the response. The status is any 4xx or, for a batch or transaction that
   * failed as a whole, 200.
   */
  assertRefused(clause: ClauseId, response: ApiResponse, because: string): ApiResponse {
    const isRefused = isClientError(response) || isFailedBatch(response);
    this.assert(clause, isRefused, `a rejection (4xx): ${because}`, formatResponse(response));
    return response;
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

  /** Sends a request with a deliberate fault, and asserts that it is rejected; see {@link assertRefused}. */
  async assertRefusal(
    clause: ClauseId,
    operationId: OperationId,
    call: Omit<CallOptions, "intent">,
    because: string,
  ): Promise<ApiResponse> {
    const response = await this.call(operationId, { ...call, intent: "invalid" });
    return this.assertRefused(clause, response, because);
  }

  /** Asserts that two JSON values are equal, ignoring the order of fields. */
  assertEqual<Value>(clause: ClauseId, actual: Value, expected: Value, what: string): void {
    const isEqual = isDeepStrictEqual(actual, expected);
    const expectation = isEqual ? what : `${what}: ${formatValue(expected)}`;
    this.assert(clause, isEqual, expectation, actual, () => createValueComparison(what, expected, actual));
  }

  /**
   * Asserts that an object has the same values as another object in some fields; it may differ in other fields.
   *
   * @param where what contains the fields, in words
   * @param names the fields to compare. Defaults to all fields of the expected object.
   */
  assertFields<Expected extends object>(
    clause: ClauseId,
    actual: Readonly<Partial<Record<keyof Expected, unknown>>> | undefined,
    expected: Expected,
    where: string,
    names = Object.keys(expected) as unknown as readonly (keyof Expected)[],
  ): void {
    for (const name of names)
      this.assertEqual<unknown>(clause, actual?.[name], expected[name], `${String(name)} in ${where}`);
  }

  /**
   * Tests a property with generated inputs. Tries must be independent, so names and keys come from `resources`. Inputs
   * must not contain names, keys or tokens: these differ between runs, but the same input must reproduce a failure.
   *
   * @throws ClauseViolation with the smallest failing input found
   */
  async property<Inputs extends object>(
    arbitraries: { readonly [Name in keyof Inputs]: fc.Arbitrary<Inputs[Name]> },
    holds: (inputs: Inputs) => Promise<void>,
    { share = 1, examples = [] }: PropertyOptions<NoInfer<Inputs>> = {},
  ): Promise<void> {
    const { recorder, runs, seed, check, replay, deadline } = this.#options;
    const index = this.#properties++;
    if (replay !== undefined && replay.index !== index) return;
    const outerCleanups = this.#cleanups;
    let otherError: unknown;
    let tries = 0;
    let smallest: { violation: ClauseViolation; exchanges: readonly Exchange[] } | undefined;
    const inputsArbitrary = fc.record<Inputs>(arbitraries, { noNullPrototype: true });
    const property = fc.asyncProperty(inputsArbitrary, async (inputs) => {
      // A replay tries only one input and does not shrink it.
      if (otherError !== undefined || (replay !== undefined && tries++ > 0)) return;
      try {
        await this.retryUnanswered(async () => {
          recorder.beginExample();
          this.#cleanups = [];
          await holds(inputs);
          await this.cleanUp();
        });
      } catch (error) {
        if (error instanceof ClauseViolation) {
          // Shrinking continues only from failing inputs, so the last one is the smallest.
          smallest = { violation: error, exchanges: [...recorder.recent] };
          throw error;
        }
        // Other errors do not depend on the input, so there is nothing to shrink.
        otherError = error;
      }
    });
    const propertySeed = replay?.seed ?? deriveSeed(seed, check.id, index);
    const parameters = {
      seed: propertySeed,
      // Paths count the examples before the random inputs.
      examples: examples.map((example): [Inputs] => [example]),
      ...(replay === undefined
        ? { numRuns: examples.length + Math.max(1, Math.ceil(runs * share)) }
        : { path: replay.path, numRuns: 1, endOnFailure: true }),
      interruptAfterTimeLimit: Math.max(1, deadline - Date.now()),
      markInterruptAsFailure: false,
    };
    // If it cannot follow the path of a replay, it throws before it returns a promise.
    const tryInputs = async () => fc.check(property, parameters);
    const details = await tryInputs().catch((error: unknown) => {
      if (replay === undefined) throw error;
      throw new RunError(
        "the replay token does not belong to this version of the suite, which generates other inputs; run the check without it",
      );
    });
    this.#cleanups = outerCleanups;
    if (otherError !== undefined) throw otherError as Error;
    if (smallest !== undefined) {
      const [inputs = {}] = details.counterexample ?? [];
      this.#evidence = {
        exchanges: smallest.exchanges,
        setupRequests: recorder.setupRequests,
        property: {
          index,
          seed: propertySeed,
          path: details.counterexamplePath ?? "",
          inputs: formatInputs(inputs),
        },
      };
      throw smallest.violation;
    }
    if (details.interrupted) throw new DeadlineExceededError("the run reached its time limit");
    if (details.failed)
      throw new RunError(`a property could not be tested: ${String(details.errorInstance)}`);
  }

  /** Repeats a try that got no response as soon as the deployment responds again; tries are independent. */
  async retryUnanswered(attempt: () => Promise<void>): Promise<void> {
    for (let left = maxRepeats; ; left--) {
      try {
        await attempt();
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

/** Maximum number of repetitions of a try that got no response. */
const maxRepeats = 4;

const maxDescriptionLength = 600;

/** Formats a value, and truncates it. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" ? value : stringifyJson(value);
  return text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength)}…` : text;
}

/** Formats a response: its status and body. */
export function formatResponse({ status, text }: Pick<ApiResponse, "status" | "text">): string {
  return `status ${status}${text === "" ? "" : ` with ${text}`}`;
}

/** Whether a whole batch or transaction failed; the specification does not show the status of such a response. */
function isFailedBatch({ status, body, exchange }: ApiResponse): boolean {
  const isBatch = /^(?:batch|transact)/.test(exchange.operationId ?? "");
  const { successCount, items } = (body ?? {}) as {
    readonly successCount?: number;
    readonly items?: unknown[];
  };
  return isBatch && status === 200 && (successCount === 0 || items?.length === 0);
}
