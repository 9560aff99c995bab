import { isClientError } from "../client/is-client-error.js";
import { quoteResponse } from "../client/quote-response.js";
import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { ItemClient } from "../steps/items/item-client.js";
import type { ApiResponse, CallOptions, Caller } from "../client/client.js";
import { type CheckContext, formatValue } from "../check/context.js";
import type { Resources } from "../resources/resources.js";
import type { LoginName, Session } from "../target/actors.js";
import type { ObservationBounds } from "../target/observation-bounds.js";

/** More than a second, so that timestamps in whole seconds differ. */
const wholeSecondMs = 1100;

/** Context of an observer: the context of a check, the answers found so far, and functions that report results. */
export class ObserverContext {
  #skipped = 0;

  /** @param answers the answers found so far */
  constructor(
    readonly check: CheckContext,
    private readonly answers: Partial<Profile>,
  ) {}

  get bounds(): ObservationBounds {
    return this.check.observationBounds;
  }

  get resources(): Resources {
    return this.check.resources;
  }

  /** Returns the answer to another gap, on which the observer must depend (`after`); undefined if it is not known. */
  answerTo<Id extends GapId>(gap: Id): AnswerTo<Id> | undefined {
    return this.answers[gap];
  }

  /** Returns the answer to another gap. @throws UndecidedError when the answer could not be found out */
  neededAnswerTo<Id extends GapId>(gap: Id): AnswerTo<Id> {
    return this.answerTo(gap) ?? this.undecided(`the answer to the gap ${gap} is not known`);
  }

  call(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    return this.check.call(operationId, call);
  }

  /** Sends a request that may be refused. */
  tryCall(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    return this.check.call(operationId, { intent: "may-be-refused", ...call });
  }

  /** Sends a request that must succeed for the observation to continue. */
  async callSuccessfully(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    return this.requireSuccess(this.check.call(operationId, call));
  }

  /** Returns a response, which must be a success for the observation to continue. */
  async requireSuccess(answered: ApiResponse | Promise<ApiResponse>, what?: string): Promise<ApiResponse> {
    const response = await answered;
    if (response.status >= 300)
      this.undecided(
        `${what ?? response.exchange.operationId ?? "a request"} returned ${quoteResponse(response)}`,
      );
    return response;
  }

  /** Whether a request was accepted; ends the observation if the deployment failed. */
  isAccepted(response: ApiResponse): boolean {
    if (response.status < 300) return true;
    if (isClientError(response)) return false;
    return this.undecided(`the deployment returned an error: ${quoteResponse(response)}`);
  }

  actor(name: LoginName): Promise<Caller> {
    return this.check.actors.getCaller(name);
  }

  getOrganizationId(name: LoginName): Promise<string> {
    return this.check.actors.getOrganizationId(name);
  }

  /** Returns the owner with a token for another of their organizations. */
  async ownerIn(organizationId: string): Promise<Caller> {
    const name = "owner in another organization";
    const switched = await this.callSuccessfully("switchOrganization", { body: { organizationId } });
    const { accessToken } = this.check.actors.registerTokens(switched.body as Session, name);
    return { name, credential: accessToken };
  }

  /** Tries to create a database, which is removed at the end. */
  tryDatabase(body: object, call: CallOptions = {}): Promise<ApiResponse> {
    const { resources } = this;
    const whole = { name: resources.createName(), region: resources.region, ...body };
    return this.tryCall("createDatabase", { ...call, body: whole });
  }

  /** Tries to create an organization, which is removed at the end. */
  tryOrganization(body: object): Promise<ApiResponse> {
    return this.tryCall("createOrganization", {
      body: { name: this.resources.createPlainName(), ...body },
    });
  }

  database(): Promise<string> {
    return this.resources.getDatabase();
  }

  items(): Promise<ItemClient> {
    return ItemClient.shared(this.check);
  }

  /** Lets some time pass, so that later timestamps differ from earlier ones. */
  async pause(milliseconds = 5): Promise<void> {
    if (!this.check.offers("control-plane")) return this.check.client.time.sleep(milliseconds);
    // Waiting does not advance the clock of an emulator.
    const whole = Math.ceil(milliseconds);
    await this.check.control.call("changeClock", { body: { advance: `PT${whole / 1000}S` } });
    this.#skipped += whole;
  }

  /** Lets enough time pass for later timestamps to differ from earlier ones, even if they have whole seconds. */
  waitForLaterTimestamps(): Promise<void> {
    return this.pause(wholeSecondMs);
  }

  /** Returns the time in milliseconds since a fixed moment. */
  now(): number {
    return this.check.client.time.now() + this.#skipped;
  }

  /** Ends the observation, because the behavior of the deployment is not among the known answers. */
  other(seen: unknown, expected: string): never {
    throw new UnlistedAnswerError(formatValue(seen), expected);
  }

  /** Ends the observation, because the observations do not show the answer. */
  undecided(reason: string): never {
    throw new UndecidedError(reason);
  }
}

/** The deployment behaves in a way that is not among the known answers to a gap. */
export class UnlistedAnswerError extends Error {
  override readonly name = "UnlistedAnswerError";

  constructor(
    readonly actual: string,
    readonly expected: string,
  ) {
    super(`${actual}; expected ${expected}`);
  }
}

/** The observations do not show the answer. */
export class UndecidedError extends Error {
  override readonly name = "UndecidedError";
}
