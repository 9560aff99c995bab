import type { OperationId } from "../../openapi/operations/register.js";
import type { CheckContext } from "../check/context.js";
import type { Answer, Call } from "../client/client.js";
import { isRefused } from "../client/is-refused.js";
import { isSuccess } from "../client/is-success.js";
import { RunError, UnknownRoute } from "../client/violation.js";
import type { LoginName, Session } from "../target/actors.js";
import type { ObserveOptions } from "../target/observe-options.js";
import { isUser } from "../resources/created-by.js";
import { type History, isOfClock, type SharedValue, type Step } from "./history.js";
import { Translation, ValueNotShown } from "./translation.js";

/** A recorded request as one target gets it. */
export interface Rendered {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Path and query of a request that no operation has. */
  readonly target: string;
  readonly at?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Stands for the status of an operation that the target does not have. */
export const noRoute = 0;

/** Sends a history to one target. */
export class Replay {
  readonly context: CheckContext;
  /** The values from before the history that requests have sent so far. */
  readonly used = new Map<SharedValue, string>();
  /** What showed that the caller's session had ended, where that came out by the request sent last. */
  lost: Answer | undefined;
  readonly #extras: ObserveOptions;
  readonly #translation: Translation;
  readonly #baseUrl: string;
  readonly #sessions = new Map<LoginName, Promise<Session>>();
  readonly #unknownRoutes: Map<OperationId, string>;

  /**
   * @param run the text in place of the recorded run id
   * @param unknownRoutes operations that the target was found not to have, with the reason
   */
  constructor(
    history: History,
    context: CheckContext,
    extras: ObserveOptions,
    run: string,
    unknownRoutes: Map<OperationId, string>,
  ) {
    this.context = context;
    this.#extras = extras;
    this.#baseUrl = history.recording.baseUrl;
    this.#translation = new Translation(history, run, (shared) => this.#valueOf(shared));
    this.#unknownRoutes = unknownRoutes;
  }

  /** Translates a request for this target; nothing where it sends a value that the target has not shown. */
  async render({ kind, exchange, manner }: Step): Promise<Rendered | undefined> {
    const { url, headers, body } = exchange.request;
    const translation = this.#translation;
    const isCall = kind === "call" || kind === "await";
    const { origin, pathname, searchParams } = new URL(url);
    try {
      return {
        path: await translation.texts(manner.path ?? {}),
        query: isCall ? await translation.texts(Object.fromEntries(searchParams)) : {},
        target: isCall ? "" : await translation.target(url.slice(this.#baseUrl.length)),
        ...(isCall && !url.startsWith(`${this.#baseUrl}/`)
          ? { at: await translation.text(origin + pathname.replace(/\/health\/live$/, "")) }
          : {}),
        headers: await translation.headers(headers),
        ...(body === undefined ? {} : { body: await translation.body(body, kind === "control") }),
      };
    } catch (error) {
      if (error instanceof ValueNotShown) return undefined;
      throw error;
    }
  }

  async #valueOf(shared: SharedValue): Promise<string | undefined> {
    const value = await this.#lookUp(shared);
    if (value !== undefined) this.used.set(shared, value);
    return value;
  }

  async #lookUp(shared: SharedValue): Promise<string | undefined> {
    const { actors, resources } = this.context;
    switch (shared.from) {
      case "session":
        return String((await this.session(shared.of))[shared.field]);
      case "login":
        if (shared.field === "organizationId") return actors.organizationOf(shared.of);
        return (await actors.login(shared.of))[shared.field];
      case "key":
        return (await actors.key(shared.of)).credential;
      case "extra":
        return this.#extras[shared.field];
      case "resource":
        if (shared.field === "region") return resources.region;
        return shared.field === "databaseId" ? resources.database() : resources.repository();
    }
  }

  /** The session of a user, as it was when the history first needed it. */
  session(of: LoginName): Promise<Session> {
    let session = this.#sessions.get(of);
    if (session === undefined) this.#sessions.set(of, (session = this.context.actors.details(of)));
    return session;
  }

  /** Keeps what an answer shows, for the steps after it. */
  learn(step: Step, { body }: Answer): void {
    this.#translation.learn(step, body);
  }

  /** Whether a text is an id that this target has given in the history. */
  hasLearned(text: string): boolean {
    return this.#translation.hasLearned(text);
  }

  /**
   * Sends the request of a step. What it makes stands in the ledger. Where the caller's session has ended here, though not
   * when the history was recorded, it is begun anew: a user may have one session at a time.
   */
  async send(step: Step, rendered: Rendered): Promise<Answer> {
    this.lost = undefined;
    const answer = await this.#send(step, rendered);
    const { caller, answer: recorded } = step.exchange;
    const wasTaken = recorded !== undefined && recorded.status < 400;
    if (step.kind !== "call" || !wasTaken || !isRefused(answer) || !isUser(caller)) return answer;
    if ((await this.context.actors.renew(callerIn(caller, rendered.headers), answer)) === undefined)
      return answer;
    this.#sessions.delete(caller);
    this.lost = answer;
    return this.#send(step, (await this.render(step)) ?? rendered);
  }

  async #send(step: Step, rendered: Rendered): Promise<Answer> {
    const { kind, exchange, manner } = step;
    const { path, query, at, headers, body, target } = rendered;
    const { client, actors } = this.context;
    const { operationId, caller, intent, request } = exchange;
    const { impatient, unpaced } = manner;
    const call: Call = {
      as: { name: caller },
      headers,
      intent,
      unjudged: true,
      asIs: true,
      ...(body === undefined ? {} : { rawBody: body }),
      ...(impatient === undefined ? {} : { impatient }),
      ...(unpaced === undefined ? {} : { unpaced }),
    };
    if (kind === "call" && operationId !== undefined)
      return this.#withRoute(operationId, step, () =>
        this.#call(operationId, step, rendered, {
          ...call,
          path,
          query,
          ...(at === undefined ? {} : { at }),
        }),
      );
    const answer = await client.send(request.method, target, call);
    if (kind === "control" && answer.status >= 300)
      throw new RunError(`the control plane refused ${request.method} ${target}: ${answer.text}`);
    // sessions may have ended
    if (isOfClock(step)) actors.forget();
    return answer;
  }

  /** An operation without a route here is a difference of its own, and keeps no history from going on. */
  async #withRoute(
    operationId: OperationId,
    { exchange }: Step,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    if (!this.#unknownRoutes.has(operationId))
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof UnknownRoute)) throw error;
        this.#unknownRoutes.set(operationId, error.message);
      }
    const failure = this.#unknownRoutes.get(operationId) ?? "";
    return {
      status: noRoute,
      header: () => undefined,
      text: "",
      body: undefined,
      exchange: { ...exchange, answer: undefined, failure },
    };
  }

  /** Waits until a database is ready or gone, as it was when the history was recorded. */
  async wait({ exchange }: Step, { path, headers }: Rendered): Promise<void> {
    const { resources } = this.context;
    const call = { as: callerIn(exchange.caller, headers) };
    const wasReady = exchange.answer?.status === 200 && exchange.answer.body.includes('"Active"');
    if (wasReady) await resources.untilReady(path.databaseId ?? "", call);
    else await resources.untilGone(path.databaseId ?? "", call);
  }

  async #call(
    operationId: OperationId,
    { exchange }: Step,
    { path, headers }: Rendered,
    call: Call,
  ): Promise<Answer> {
    const { resources } = this.context;
    const answer = await resources.call(operationId, call);
    if (!isSuccess(answer)) return answer;
    // requests that follow are about a database that is ready, however long that takes here
    const { databaseId, status } = (answer.body ?? {}) as { databaseId?: string; status?: string };
    if (operationId === "createDatabase" && databaseId !== undefined && status !== "Active")
      await resources
        .untilReady(databaseId, { as: callerIn(exchange.caller, headers) })
        .catch((error: unknown) => {
          if (!(error instanceof RunError)) throw error;
        });
    if (operationId === "deleteRepository") resources.removed("repository", path.repositoryId ?? "");
    // one that is still shown lets nobody remove its members
    if (operationId === "deleteOrganization") resources.goesWith(path.organizationId ?? "");
    return answer;
  }
}

function callerIn(name: string, { Authorization }: Readonly<Record<string, string>>) {
  const credential = Authorization?.replace(/^Bearer /, "");
  return { name, ...(credential === undefined ? {} : { credential }) };
}
