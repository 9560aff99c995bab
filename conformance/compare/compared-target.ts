import type { OperationId } from "../../openapi/operations/register.js";
import { resolvePointer } from "../../openapi/validation/json-pointer.js";
import type { CheckContext } from "../check/context.js";
import type { ApiResponse, CallOptions, Caller } from "../client/client.js";
import { isClientError } from "../client/is-client-error.js";
import { isSuccess } from "../client/is-success.js";
import { startOnce } from "../client/start-once.js";
import { RunError, UnknownRouteError } from "../client/violation.js";
import type { LoginName, Session } from "../target/actors.js";
import { isActorName } from "../target/requirements.js";
import {
  fillPlaceholders,
  type History,
  type HistoryStep,
  isClockStep,
  type RequestStrings,
} from "./history.js";
import type { ValueSource } from "./shared-values.js";

export interface ComparedResponse extends ApiResponse {
  /** Method and path template of an operation that succeeded. */
  readonly route?: string;
  /** The refusal that showed that the session of the caller had ended. */
  readonly sessionEnd?: ApiResponse;
}

/** One of the two targets to which a history is sent. */
export class ComparedTarget implements ValueSource {
  /** The values of this target for recorded values, from its responses. */
  readonly #shown = new Map<string, string>();
  readonly #sessions: Partial<Record<LoginName, Promise<Session> | undefined>> = {};
  /** Databases that were created and not yet used, with their creators. */
  readonly #created = new Map<string, Caller>();

  /** @param execution the text in place of the recorded run id */
  constructor(
    private readonly history: History,
    readonly context: CheckContext,
    private readonly execution: string,
  ) {}

  /** Creates the request of a step for this target; undefined if the target has not yet returned a value that it needs. */
  async createRequest(step: HistoryStep): Promise<RequestStrings | undefined> {
    const values: string[] = [];
    for (const { recorded } of step.placeholders) {
      const value = await this.translateValue(recorded);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return fillPlaceholders(step, values, (text) => this.#rename(text));
  }

  /** Returns the value of this target for a recorded value. */
  async translateValue(recorded: string): Promise<string | undefined> {
    const shared = this.history.recording.shared.get(recorded);
    const shown = this.#shown.get(recorded);
    // A token that the history has created remains valid when a new session starts.
    return shown !== undefined && (shared === undefined || shared.of !== undefined)
      ? shown
      : shared?.find(this);
  }

  /** Returns the name or id on this target for a recorded name or id. */
  getName(recorded: string): string {
    return this.#shown.get(recorded) ?? this.#rename(recorded);
  }

  #rename(text: string): string {
    return text.replaceAll(this.history.recording.run, this.execution);
  }

  /** Returns the session of a user from when the history first needed it. */
  readonly session = (of: LoginName): Promise<Session> =>
    startOnce(this.#sessions, of, () => this.context.actors.getSession(of));

  /** Stores the values in a response for later steps. */
  storeValues(step: HistoryStep, { body }: Pick<ApiResponse, "body">): void {
    for (const { pointer, value } of step.returnedValues) {
      const here = resolvePointer(body, pointer);
      if (typeof here === "string" && !this.#shown.has(value)) this.#shown.set(value, here);
    }
  }

  /**
   * Sends the request of a step. A resource that it creates is in the ledger. If the caller's session has ended, although it
   * had not when the history was recorded, a new session is started, because a deployment may allow one session per user.
   */
  async send(step: HistoryStep, texts: RequestStrings): Promise<ComparedResponse> {
    const response = await this.#send(step, texts);
    const { caller, answer: recorded } = step.exchange;
    const wasAccepted = recorded !== undefined && recorded.status < 400;
    if (step.kind !== "call" || !wasAccepted || !isClientError(response) || !isActorName(caller))
      return response;
    if ((await this.context.actors.renew(callerIn(caller, texts), response)) === undefined) return response;
    this.#sessions[caller] = undefined;
    return { ...(await this.#send(step, (await this.createRequest(step)) ?? texts)), sessionEnd: response };
  }

  async #send(step: HistoryStep, texts: RequestStrings): Promise<ComparedResponse> {
    const { kind, exchange } = step;
    const { skipRetries = false, skipRateLimit = false } = step.behavior;
    const { path, query, headers, rest } = texts;
    const { at, target = "", body: rawBody } = rest;
    const { client, actors } = this.context;
    const { operationId, caller, intent, request } = exchange;
    const options = { intent, skipRetries, skipRateLimit, skipValidation: true, skipRenewal: true };
    const call = { ...options, as: { name: caller }, headers, ...(rawBody === undefined ? {} : { rawBody }) };
    const send = () => client.send(request.method, target, call);
    if (kind === "call" && operationId !== undefined) {
      const target = { path, query, ...(at === undefined ? {} : { at }) };
      return this.#call(operationId, { ...call, ...target }, texts).catch((error: unknown) => {
        if (!(error instanceof UnknownRouteError)) throw error;
        // The comparison shows how the target responds at the usual route.
        return send();
      });
    }
    const response = await send();
    if (kind === "control" && response.status >= 300)
      throw new RunError(`the control plane rejected ${request.method} ${target}: ${response.text}`);
    // Sessions may have ended.
    if (isClockStep(step)) actors.forgetSessions();
    return response;
  }

  /** Waits until a database is ready or gone, as in the recording. */
  async wait({ exchange }: HistoryStep, texts: RequestStrings): Promise<void> {
    const { resources } = this.context;
    const call = { as: callerIn(exchange.caller, texts) };
    const { databaseId = "" } = texts.path;
    const wasReady = exchange.answer?.status === 200 && exchange.answer.body.includes('"Active"');
    if (wasReady) await resources.waitUntilReady(databaseId, call);
    else await resources.waitUntilGone(databaseId, call);
  }

  /** Waits until a new database is ready, however long that takes here, unless it has been used before. */
  async #waitUntilReady(databaseId: string): Promise<void> {
    const as = this.#created.get(databaseId);
    if (as === undefined) return;
    this.#created.delete(databaseId);
    await this.context.resources.waitUntilReady(databaseId, { as }).catch((error: unknown) => {
      if (!(error instanceof RunError)) throw error;
    });
  }

  /** Waits for the new databases that the history has not used, because they may not be deleted before. */
  async finish(): Promise<void> {
    for (const databaseId of this.#created.keys()) await this.#waitUntilReady(databaseId);
  }

  async #call(operationId: OperationId, call: CallOptions, texts: RequestStrings): Promise<ComparedResponse> {
    const { client, resources } = this.context;
    const { databaseId = "", repositoryId = "", organizationId = "" } = texts.path;
    if (operationId !== "getDatabase") await this.#waitUntilReady(databaseId);
    const response = await resources.call(operationId, call);
    if (!isSuccess(response)) return response;
    if (operationId === "createDatabase") {
      const { databaseId: created } = (response.body ?? {}) as { databaseId?: string };
      if (created !== undefined) this.#created.set(created, callerIn(response.exchange.caller, texts));
    }
    if (operationId === "deleteRepository") resources.recordRemoval("repository", repositoryId);
    // The members of a deleted organization can no longer be removed.
    if (operationId === "deleteOrganization") resources.recordContentsRemoval(organizationId);
    return { ...response, route: `${response.exchange.request.method} ${client.getPath(operationId)}` };
  }
}

function callerIn(name: string, { headers: { Authorization } }: RequestStrings) {
  const credential = Authorization?.replace(/^Bearer /, "");
  return { name, ...(credential === undefined ? {} : { credential }) };
}
