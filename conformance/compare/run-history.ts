import type { OperationId } from "../../openapi/operations/register.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { compareResponses } from "./compare-responses.js";
import type { BodyComparisonContext, Mismatch } from "./compare-bodies.js";
import type { History, HistoryStep, RequestStrings } from "./history.js";
import { IdMapping } from "./id-mapping.js";
import { type Pair, type Side, sides } from "./pair.js";
import { parseInstant } from "../steps/parse-instant.js";
import type { ComparedTarget, ComparedResponse } from "./compared-target.js";

/** The two targets' responses to one request, and one place where they differ. */
export interface ResponseDifference extends Mismatch {
  readonly history: History;
  readonly step: HistoryStep;
  readonly statuses: Pair<number>;
  /** Requests to and responses of both targets in this history, up to these responses. */
  readonly exchanges: HistoryResult["exchanges"];
}

export interface HistoryResult {
  readonly differences: readonly ResponseDifference[];
  /** Number of compared responses of each operation. */
  readonly compared: ReadonlyMap<OperationId, number>;
  /** Requests to and responses of both targets so far. */
  readonly exchanges: readonly Pair<Exchange>[];
  /** Number of requests that were not compared, because they may depend on one that only one target carried out. */
  readonly skipped: number;
  /** Requests that were not sent, because they contain a value that a target has not returned, although nothing differed. */
  readonly unsent: readonly HistoryStep[];
}

/** Data that existed before the run. */
export interface PreexistingData extends Pick<BodyComparisonContext, "arePreexisting"> {
  readonly has: (mismatch: Mismatch, step: HistoryStep) => boolean;
  readonly hasOrganization: (id: unknown) => boolean;
}

export interface HistoryRunOptions extends Pick<BodyComparisonContext, "schemas" | "namePrefix"> {
  readonly preexisting: PreexistingData;
  /** Prefix of all names created by this execution. */
  readonly execution: string;
  /** Whether a target contains only data that the run created. */
  readonly hasOnlyRunData: boolean;
  /** How long lagging responses are read again, in milliseconds. */
  readonly rereadMs: number;
  /** How long to wait before every write, in milliseconds, so that instants differ. */
  readonly pauseMs?: number;
  /** Ends the history at the first difference that satisfies this condition. */
  readonly until?: (difference: ResponseDifference) => boolean;
}

/** Maximum amount, in milliseconds, that a service may truncate from an instant. */
const maxRoundingMs = 100;

/** In place of the names of a request that names no resource. */
const anyResource = "*";

/** Sends a history to two targets, one request after the other, and compares every response. */
export class HistoryComparison {
  readonly #ids: IdMapping;
  readonly #compared = new Map<OperationId, number>();
  /** Recorded names and ids of resources that only one of the targets has changed. */
  readonly #diverged = new Set<string>();
  /** Whether only one of the targets has carried out a request. */
  #hasDiverged = false;
  /** Recorded ids of personal organizations in which a user works on one side alone, and the tokens for them. */
  readonly #unequal = new Set<string>();

  /**
   * Start of the history by the clock of each target, from the responses to its first write. Pauses do not separate the
   * instants before it.
   */
  #startedAt: Pair<number>;

  constructor(
    private readonly history: History,
    private readonly sides: Pair<ComparedTarget>,
    private readonly options: HistoryRunOptions,
  ) {
    const { pauseMs } = options;
    this.#ids = new IdMapping(pauseMs === undefined ? 0 : pauseMs - maxRoundingMs);
    this.#startedAt = pauseMs === undefined ? [-Infinity, -Infinity] : [Infinity, Infinity];
  }

  async run(): Promise<HistoryResult> {
    const { pauseMs, until } = this.options;
    const differences: ResponseDifference[] = [];
    const exchanges: Pair<Exchange>[] = [];
    const unsent: HistoryStep[] = [];
    const result = { differences, compared: this.#compared, exchanges, skipped: 0, unsent };
    for (const step of this.history.steps) {
      const [firstRequest, secondRequest] = await this.#onBoth((side) => side.createRequest(step));
      if (firstRequest === undefined || secondRequest === undefined) {
        // An earlier difference may be why a target has not returned a value.
        if (step.kind !== "await" && differences.length === 0) unsent.push(step);
        else if (step.kind !== "await") result.skipped++;
        continue;
      }
      const requests = [firstRequest, secondRequest] as const;
      if (step.kind === "await") {
        await this.#onBoth((side, index) => side.wait(step, requests[index]));
        continue;
      }
      await this.#bindSent(step);
      if (pauseMs !== undefined && !step.isRead)
        await this.#onBoth(({ context: { client } }) => client.time.sleep(pauseMs));
      const { answers, found } = await this.#send(step, requests);
      if (found === undefined) result.skipped++;
      const { history } = this;
      const statuses = [answers[0].status, answers[1].status] as const;
      exchanges.push([answers[0].exchange, answers[1].exchange]);
      for (const mismatch of found ?? []) {
        const difference = { ...mismatch, history, step, statuses, exchanges: [...exchanges] };
        differences.push(difference);
        if (until?.(difference) === true) return result;
      }
      for (const side of sides) this.sides[side].storeValues(step, answers[side]);
    }
    return result;
  }

  #onBoth<Value>(work: (side: ComparedTarget, index: Side) => Promise<Value>): Promise<Pair<Value>> {
    return Promise.all([work(this.sides[0], 0), work(this.sides[1], 1)]);
  }

  /** Maps the values in which the two requests differ, and notes the values that both requests contain. */
  async #bindSent({ placeholders, texts }: HistoryStep): Promise<void> {
    for (const { recorded } of placeholders) {
      const { field, of } = this.history.recording.shared.get(recorded) ?? {};
      const [firstValue, secondValue] = await this.#onBoth((side) => side.translateValue(recorded));
      if (firstValue === undefined || secondValue === undefined) continue;
      if (field === undefined && firstValue !== secondValue) this.#ids.addSent(firstValue, secondValue);
      if (field !== undefined) this.#ids.bind(firstValue, secondValue, field);
      if (of === undefined) continue;
      const places = await this.#onBoth(({ context }) => context.actors.getOrganizationId(of));
      if (field === "personalOrgId" && (places[0] === firstValue) !== (places[1] === secondValue))
        this.#unequal.add(recorded);
      const sessions = await this.#onBoth((side) => side.session(of));
      for (const name of ["userId", "email", "name", "personalOrgId"] as const)
        this.#ids.bind(sessions[0][name], sessions[1][name], name);
    }
    for (const text of texts) this.#ids.addSent(this.sides[0].getName(text));
  }

  /**
   * Sends the request of a step to both targets, and repeats it while lagging counts may become equal. `found` is undefined
   * if the responses were not compared.
   */
  async #send(
    step: HistoryStep,
    requests: Pair<RequestStrings>,
  ): Promise<{ readonly answers: Pair<ComparedResponse>; readonly found?: readonly Mismatch[] }> {
    const { placeholders, returnedValues, operationId, isRead, kind, exchange } = step;
    const { preexisting, rereadMs } = this.options;
    const send = () => this.#onBoth((side, index) => side.send(step, requests[index]));
    let responses = await send();
    const isUnequal = placeholders.some(({ recorded }) => this.#unequal.has(recorded));
    for (const { pointer, value } of returnedValues)
      if (isUnequal && pointer.endsWith("Token")) this.#unequal.add(value);
    if (kind === "control" || isUnequal) return { answers: responses, found: [] };
    if (this.#dependsOnDivergence(step)) {
      if (!isRead) this.#recordDivergence(step);
      return { answers: responses };
    }
    if (!isRead && this.#startedAt.includes(Infinity)) {
      const times = [findLatestTime(responses[0]), findLatestTime(responses[1])] as const;
      if (times.every(Number.isFinite)) this.#startedAt = times;
    }
    const context = this.#createContext(step, requests[0]);
    const compare = () =>
      compareResponses(step, responses, context).filter((mismatch) => !preexisting.has(mismatch, step));
    const savepoint = this.#ids.createSavepoint();
    let found = compare();
    const mayBeTemporary = () =>
      isRead && found.length > 0 && found.every((mismatch) => mismatch.mayBeTemporary);
    for (let waited = 0, pause = 25; mayBeTemporary() && waited < rereadMs; waited += pause, pause *= 2) {
      await this.sides[0].context.client.time.sleep(Math.min(pause, 1000));
      responses = await send();
      this.#ids.rollback(savepoint);
      found = compare();
    }
    if (operationId !== undefined)
      this.#compared.set(operationId, (this.#compared.get(operationId) ?? 0) + 1);
    const isOneSided = isSuccess(responses[0]) !== isSuccess(responses[1]);
    this.#hasDiverged ||= isOneSided;
    // The targets have carried out different parts of the request.
    const isPartlyDifferent = found.some(({ field }) => field.endsWith(".successCount"));
    // If one target deletes a resource and the other does not have it, neither has it afterward.
    const isGone = exchange.request.method === "DELETE" && responses.some(({ status }) => status === 404);
    if (!isRead && !isGone && (isPartlyDifferent || isOneSided)) this.#recordDivergence(step);
    return { answers: responses, found };
  }

  /** Whether a request may concern a resource that only one target has changed; one that names nothing may concern any. */
  #dependsOnDivergence({ names }: HistoryStep): boolean {
    if (this.#diverged.size === 0) return false;
    return names.length === 0 || [anyResource, ...names].some((name) => this.#diverged.has(name));
  }

  #recordDivergence({ names }: HistoryStep): void {
    for (const name of names.length === 0 ? [anyResource] : names) this.#diverged.add(name);
  }

  #createContext(step: HistoryStep, { path, query, rest }: RequestStrings): BodyComparisonContext {
    const { operationId = "", exchange, number, names } = step;
    const { execution, hasOnlyRunData, preexisting } = this.options;
    const ids = this.#ids;
    const paths = Object.values(path).join(" ");
    const place = `${operationId} ${paths === "" ? exchange.caller : paths}`;
    const request = `${Object.keys(query).join(" ")} ${rest.body ?? ""}`;
    const getCountSubject = (entry: unknown) => {
      if (entry === undefined) return names.length > 0 ? undefined : place;
      const isNew = JSON.stringify(entry).includes(execution);
      return isNew ? undefined : `${operationId} ${listIds(entry).join(" ")}`;
    };
    const belongsToRun = (entry: unknown) => {
      if (hasOnlyRunData) return true;
      const { organizationId } = (entry ?? {}) as Readonly<Record<string, unknown>>;
      if (preexisting.hasOrganization(organizationId)) return false;
      return JSON.stringify(entry).includes(execution) || listIds(entry).some((id) => ids.has(id));
    };
    return {
      ...this.options,
      arePreexisting: (instants) =>
        preexisting.arePreexisting(instants) ||
        instants.every((instant, side) => instant < (this.#startedAt[side] ?? 0)),
      ids,
      answer: number,
      caller: exchange.caller,
      getCountSubject,
      belongsToRun,
      ignoresCounts: this.#hasDiverged,
      isPage: /\b(cursor|pageToken)\b/.test(request),
      isFiltered: request.includes("filter"),
    };
  }
}

/** Returns the latest time in a response, minus what may have been truncated; infinite if there is none. */
function findLatestTime({ exchange }: ComparedResponse): number {
  const times = (exchange.answer?.body ?? "").matchAll(/"(?:created|updated)At"\s*:\s*"([^"]*)"/g);
  return Math.max(...Array.from(times, ([, text]) => parseInstant(text) ?? -Infinity)) - maxRoundingMs;
}

/** Returns the ids in an entry of a list. */
function listIds(entry: unknown): readonly string[] {
  return Object.entries(entry ?? {}).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && (/(^id|Id)$/.test(name) || name === "email") ? value : [],
  );
}
