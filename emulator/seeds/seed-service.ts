import type { OperationId } from "../../openapi/operations/register.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Caller } from "../access/caller.js";
import type { HandlerContext, OperationRequest } from "../handlers/handler.js";
import { serviceHandlers } from "../handlers/register.js";
import { Problem } from "../domain/problem.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { toPlainValue } from "../json/to-plain.js";
import { type MountedOperation, listMountedOperations } from "../request/mounted-operation.js";
import { getContract } from "../request/get-contract.js";
import { serviceRequestReader } from "../service/validate.js";
import { Clock } from "../time/clock.js";
import type { Store } from "../store/store.js";
import { TokenIssuer } from "../world/tokens.js";
import type { World } from "../world/world.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import { IdGenerator } from "../world/id-generator.js";
import type { SeedMistakes } from "./seed-error.js";

/** The context of what is created: the user, the time and the ids. */
export interface CreationContext {
  readonly by?: Caller;
  readonly at: number;
  /** Ids by the prefix that the service requests. */
  readonly ids?: Readonly<Record<string, string>>;
}

let operations: ReadonlyMap<string, MountedOperation> | undefined;

/**
 * The service as it is to those who write a seed: requests are held against the contract and go to the handlers, as
 * those of a client do, so that nothing gets into a world that the service would refuse. They come as the owner of
 * what they are about, at the time that the seed says, and leave no trace in logins, limits and counts of requests.
 *
 * A seed means the same under every profile: the rules are those of the default answers.
 */
export class SeedService {
  readonly store: Store;
  /** The refusals, with their locations in the seed. */
  readonly mistakes: SeedMistakes;
  readonly #ids: ChosenIds;
  readonly #tokens: TokenIssuer;

  constructor(store: Store, seed: number, mistakes: SeedMistakes) {
    this.store = store;
    this.mistakes = mistakes;
    this.#ids = new ChosenIds(seed);
    this.#tokens = new TokenIssuer(seed);
  }

  /** Number of ids that were generated. */
  get idCount(): number {
    return this.#ids.count;
  }

  /**
   * Does work that the service may refuse, and records the refusal.
   *
   * @param pointer what the work is about; members of the body of a request have the names of the seed's
   * @returns whether it succeeded
   */
  try(pointer: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (error instanceof Problem) this.#note(pointer, error);
      else if (error instanceof SqlError)
        this.mistakes.add(pointer, [error.message, error.details].filter(Boolean).join(". "));
      else throw error;
      return false;
    }
  }

  #note(pointer: string, { message, violations }: Problem): void {
    if (violations.length === 0) this.mistakes.add(pointer, message);
    for (const { in: place, pointer: within, detail } of violations)
      this.mistakes.add(place === "body" ? pointer + within : pointer, detail);
  }

  /** Returns the world at the time at which something is created. */
  world({ at, ids = {} }: CreationContext): World {
    this.#ids.choose(ids);
    const clock = new Clock("manual", at);
    return { store: this.store, clock, ids: this.#ids, tokens: this.#tokens, profile: defaultProfile };
  }

  /** Creates the context of a handler. */
  context(making: CreationContext): HandlerContext {
    const caller = making.by ?? { kind: "anonymous" };
    return { ...this.world(making), caller, now: making.at, baseUrl: () => "" };
  }

  /**
   * A request that fits the contract.
   *
   * @throws a problem `validation-failed`
   */
  request<Id extends OperationId>(
    id: Id,
    path: Readonly<Record<string, string>>,
    body: JsonObject,
  ): OperationRequest<Id> {
    operations ??= new Map(
      listMountedOperations(getContract(defaultProfile).requests)
        .toReversed()
        .map((one) => [one.operationId, one]),
    );
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`the document has no operation ${id}`);
    const json: JsonValue = serviceRequestReader.given(body, operation, defaultProfile);
    const plain = toPlainValue(json);
    const { validator } = getContract(defaultProfile);
    const violations = validator.validateRequest(operation.routeId, { path, query: {}, body: plain });
    if (violations.length > 0)
      throw serviceRequestReader.refused(violations, operation, json, defaultProfile);
    return { path, query: {}, body: plain, json, bodyBytes: 0 } as unknown as OperationRequest<Id>;
  }

  /** Calls an operation of the service. @throws a problem, SqlError */
  call(
    id: OperationId,
    path: Readonly<Record<string, string>>,
    body: JsonObject,
    making: CreationContext,
  ): void {
    const handle = serviceHandlers[id] as unknown as (request: unknown, context: HandlerContext) => unknown;
    handle(this.request(id, path, body), this.context(making));
  }
}

/** The body of a request: members that are left out of the seed are left out, free-form ones are as they were written. */
export function toRequestBody(members: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return new Map(given as [string, JsonValue][]);
}

/** Ids that are chosen for what is made next, by their kind; where none is, one is made as ever. */
class ChosenIds extends IdGenerator {
  readonly #chosen = new Map<string, string>();

  /** @param ids by the prefix that is asked for */
  choose(ids: Readonly<Record<string, string>>): void {
    this.#chosen.clear();
    for (const [prefix, id] of Object.entries(ids)) this.#chosen.set(prefix, id);
  }

  override next(prefix: string, length?: number): string {
    const chosen = this.#chosen.get(prefix);
    if (chosen === undefined) return super.next(prefix, length);
    this.#chosen.delete(prefix);
    return chosen;
  }
}
