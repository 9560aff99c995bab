import type { OperationId } from "../../openapi/operations/register.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import type { Caller } from "../access/caller.js";
import type { HandlerContext, OperationRequest } from "../handlers/handler.js";
import { serviceHandlers } from "../handlers/register.js";
import { createInvalidBodyProblem, createValidationProblem, Problem } from "../domain/problem.js";
import {
  getFieldEntries,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../json/json-value.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { toPlainValue } from "../json/to-plain.js";
import { memoize } from "../../openapi/text/memoize.js";
import { getContract } from "../request/get-contract.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import { removeNullFields } from "../request/optional-fields.js";
import { Clock } from "../time/clock.js";
import type { Store } from "../store/store.js";
import { TokenIssuer } from "../world/tokens.js";
import type { World } from "../world/world.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import { IdGenerator } from "../world/id-generator.js";
import type { SeedMistakes } from "./seed-error.js";
import { SeedNames } from "./seed-names.js";

/** When something is created, and with which ids. */
interface Creation {
  readonly at: number;
  /** Ids by the prefix that the service requests. Other ids are generated. */
  readonly ids?: Readonly<Record<string, string>>;
}

/**
 * Calls the service's handlers for a seed. Requests are validated like those of clients, so that a world contains only
 * what the service accepts. They skip authentication, the rate limit and the journal.
 *
 * The rules are those of the default profile, so that a seed means the same under every profile. The exceptions are the
 * answers that decide which data can exist, so that an export can be loaded again.
 */
export class SeedContext {
  readonly names: SeedNames;
  readonly #ids: PresetIds;
  readonly #tokens: TokenIssuer;
  readonly #profile: Profile;

  /**
   * @param now the time at which the world starts
   * @param given the profile of the emulator
   */
  constructor(
    readonly store: Store,
    seed: number,
    readonly now: number,
    readonly mistakes: SeedMistakes,
    given: Profile,
  ) {
    this.#profile = {
      ...defaultProfile,
      "duplicate-name": given["duplicate-name"],
      "entity-null-fields": given["entity-null-fields"],
    };
    this.names = new SeedNames(mistakes);
    this.#ids = new PresetIds(seed);
    this.#tokens = new TokenIssuer(seed);
  }

  /** Number of generated ids. */
  get idCount(): number {
    return this.#ids.count;
  }

  /**
   * Runs work that the service may reject, and records the mistakes.
   *
   * @param pointer the element of the seed; its fields have the same names as those of the request body
   * @returns the result, or undefined if there was a mistake
   */
  try<Result>(pointer: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof SqlError)
        this.mistakes.add(pointer, [error.message, error.details].filter(Boolean).join(". "));
      else if (!(error instanceof Problem)) throw error;
      else if (error.violations.length === 0) this.mistakes.add(pointer, error.message);
      else
        for (const { in: part, pointer: field, detail } of error.violations)
          this.mistakes.add(part === "body" ? pointer + field : pointer, detail);
      return undefined;
    }
  }

  /** Returns the world at the time at which something is created. */
  world({ at, ids = {} }: Creation): World {
    this.#ids.preset = new Map(Object.entries(ids));
    const clock = new Clock("manual", at);
    return { store: this.store, clock, ids: this.#ids, tokens: this.#tokens, profile: this.#profile };
  }

  /**
   * Creates a valid request. Fields of the body without a value, or with null instead, are omitted.
   *
   * @throws a problem `validation-failed`
   */
  request<Id extends OperationId>(
    id: Id,
    path: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, unknown>>,
  ): OperationRequest<Id> {
    const given: JsonObject = new Map(
      Object.entries(fields).filter((field): field is [string, JsonValue] => field[1] !== undefined),
    );
    const json = removeNullFields(given, getOperations(defaultProfile).get(id)?.optionalFields);
    const { jsonDepth } = emulatorDefinedLimits;
    if (isDeeper(json, jsonDepth))
      throw createInvalidBodyProblem("", `arrays and objects are nested more than ${jsonDepth} levels deep`);
    const body = toPlainValue(json);
    // In the document of the default profile, each operation has one route.
    const violations = getContract(defaultProfile).validator.validateRequest(id, { path, query: {}, body });
    if (violations.length > 0) throw createValidationProblem(...violations);
    return { path, query: {}, body, json, bodyBytes: 0 } as unknown as OperationRequest<Id>;
  }

  /** Calls an operation of the service. @throws Problem, SqlError */
  call(
    id: OperationId,
    path: Readonly<Record<string, string>>,
    fields: Readonly<Record<string, unknown>>,
    creation: Creation & { readonly by: Caller },
  ): void {
    const handle = serviceHandlers[id] as unknown as (request: unknown, context: HandlerContext) => unknown;
    const { by: caller, at: now } = creation;
    handle(this.request(id, path, fields), { ...this.world(creation), caller, now, baseUrl: () => "" });
  }
}

/** Whether arrays and objects are nested more than `levels` levels deep. */
function isDeeper(value: JsonValue, levels: number): boolean {
  if (isJsonObject(value)) value = Array.from(getFieldEntries(value), ([, field]) => field);
  return isJsonArray(value) && (levels === 0 || value.some((element) => isDeeper(element, levels - 1)));
}

/** Returns the operations of a profile by their ids. */
const getOperations = memoize(
  (profile: Profile) =>
    new Map(listMountedOperations(getContract(profile).requests).map((one) => [one.routeId, one])),
  new WeakMap(),
);

/** Returns the preset id for a prefix once. All other ids are generated. */
class PresetIds extends IdGenerator {
  /** Ids by their prefix. */
  preset = new Map<string, string>();

  override next(prefix: string, length?: number): string {
    const id = this.preset.get(prefix);
    this.preset.delete(prefix);
    return id ?? super.next(prefix, length);
  }
}
