import { FirstInOrder } from "../domain/first-in-order.js";
import { attributeNames } from "../expressions/attribute-names.js";
import { evaluateWith } from "../expressions/evaluate.js";
import type { Expression, Path } from "../expressions/expression.js";
import { CompactReader } from "../json/compact-reader.js";
import type { JsonValue } from "../json/json-value.js";
import { timestamp } from "../time/timestamp.js";
import {
  compareEntityPositions,
  type EntityOrder,
  type EntityPosition,
  isSystemField,
  sortPath,
  type SystemField,
} from "./entity-order.js";

/** What a scan may have to read of an entity. */
export type ScannedField = "data" | SystemField;

/** An entity as a scan gives it: its number, and the fields that the scan was asked for; others are blank. */
export interface ScannedEntity {
  readonly sequence: number;
  /** Compact JSON text. */
  readonly data: string;
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Shows the entities one by one. It is no iterable, because that costs a scan of many entities dearly. */
export type EntityScan = (visit: (entity: ScannedEntity) => void) => void;

/** Which entities are wanted, and in which order. */
export interface EntityQuery {
  readonly filter: { readonly expression: Expression; readonly values: JsonValue | undefined } | undefined;
  /** Without it entities are in the order of creation. */
  readonly sortBy: string | undefined;
  readonly order: EntityOrder;
}

/** Where a page begins: after a position, or after so many entities. */
export type PageStart = { readonly after: EntityPosition } | { readonly skip: number };

/** The entities of one page, and how many there are in all. */
export interface FoundEntities {
  readonly page: readonly EntityPosition[];
  /** Number of entities that the filter lets through. */
  readonly total: number;
  /** How many of them come before the page. */
  readonly before: number;
}

/** What a scan for the query has to read. */
export function scannedFields({ filter, sortBy }: EntityQuery): readonly ScannedField[] {
  const names = [
    ...(filter === undefined ? [] : attributeNames(filter.expression)),
    ...(sortBy === undefined ? [] : [sortPath(sortBy)[0]]),
  ];
  return [...new Set(names.map((name) => (isSystemField(name) ? name : "data")))];
}

/**
 * Finds one page of a query in a single pass. Of the data it reads only the values that the query looks at, and it
 * keeps no more entities than the page needs.
 *
 * @param scan gives at least the {@link scannedFields}
 * @param maxDepth nesting that no data exceed
 */
export function findEntities(
  scan: EntityScan,
  query: EntityQuery,
  start: PageStart,
  limit: number,
  maxDepth: number,
): FoundEntities {
  const { filter, sortBy, order } = query;
  const subject = new ScannedSubject(maxDepth);
  const valueAt = (path: Path) => subject.valueAt(path);
  const sorting = sortBy === undefined ? undefined : sortPath(sortBy);
  const after = "after" in start ? start.after : undefined;
  const skip = "skip" in start ? start.skip : 0;
  const first = new FirstInOrder<EntityPosition>(skip + limit, (a, b) => compareEntityPositions(a, b, order));
  let total = 0;
  let passed = 0;
  scan((entity) => {
    subject.open(entity);
    if (filter !== undefined && !evaluateWith(filter.expression, valueAt, filter.values)) return;
    total += 1;
    // only what passed is worth reading on
    const value = sorting === undefined ? undefined : subject.valueAt(sorting);
    const position = { value, sequence: entity.sequence };
    if (after !== undefined && compareEntityPositions(position, after, order) <= 0) passed += 1;
    else first.add(position);
  });
  return { page: first.values().slice(skip), total, before: passed + Math.min(skip, total) };
}

/** Finds values in one scanned entity after the other. The names of system fields never mean fields of the data. */
class ScannedSubject {
  readonly #data: CompactReader;
  readonly #readers = new Map<Path, () => JsonValue | undefined>();
  #entity: ScannedEntity | undefined;

  constructor(maxDepth: number) {
    this.#data = new CompactReader(maxDepth);
  }

  open(entity: ScannedEntity): void {
    this.#entity = entity;
    this.#data.open(entity.data);
  }

  valueAt(path: Path): JsonValue | undefined {
    let read = this.#readers.get(path);
    if (read === undefined) this.#readers.set(path, (read = this.#readerOf(path)));
    return read();
  }

  #readerOf(path: Path): () => JsonValue | undefined {
    const [field] = path;
    if (!isSystemField(field)) return this.#data.reader(path);
    // nothing leads on from a text
    if (path.length > 1) return () => undefined;
    return field === "id" ? () => this.#entity?.id : () => timestamp(this.#entity?.[field] ?? 0);
  }
}
