import { isDeepStrictEqual } from "node:util";

type Data = Readonly<Record<string, unknown>>;

/** An entity as it was last seen. */
export interface KnownEntity {
  readonly id: string;
  readonly data: Data;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number | undefined;
}

/** The entities of one repository without a schema, which contain exactly what was written. */
export class EntitiesModel {
  readonly #entities = new Map<string, KnownEntity>();

  get(id: string): KnownEntity | undefined {
    return this.#entities.get(id);
  }

  put(entity: KnownEntity): void {
    this.#entities.set(entity.id, entity);
  }

  /** Returns the ids of the entities with the given value in a field. */
  matching(field: string, value: unknown): readonly string[] {
    return [...this.#entities.values()]
      .filter(({ data }) => Object.hasOwn(data, field) && isDeepStrictEqual(data[field], value))
      .map(({ id }) => id);
  }
}

const collator = new Intl.Collator("en", { sensitivity: "base" });

/** Whether a deployment may treat two values as equal; the specification does not say how `=` treats case, space and types. */
export function isPossiblyEqual(one: unknown, other: unknown): boolean {
  const [a = "", b = ""] = [one, other].map((value) => String(value).trim());
  return Number(a) === Number(b) || Number(one) === Number(other) || collator.compare(a, b) === 0;
}

/** Lists the possible results of an update: the new data, or the previous data with the new fields. */
export function listPossibleUpdates(before: Data, given: Data): readonly Data[] {
  return [given, { ...before, ...given }];
}
