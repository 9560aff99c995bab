import { FirstInOrder } from "../domain/first-in-order.js";
import { attributeNames } from "../expressions/attribute-names.js";
import { evaluate } from "../expressions/evaluate.js";
import type { Expression } from "../expressions/expression.js";
import type { JsonValue } from "../json/json-value.js";
import { memberReader } from "../json/member-reader.js";
import { timestamp } from "../time/timestamp.js";
import {
  compareEntityPositions,
  type EntityOrder,
  type EntityPosition,
  isSystemField,
  sortValue,
} from "./entity-order.js";

/** An entity as a scan gives it: the fields that the service sets only where {@link needsSystemFields} says so. */
export interface ScannedEntity {
  readonly sequence: number;
  /** Compact JSON text. */
  readonly data: string;
  readonly system:
    { readonly id: string; readonly createdAt: number; readonly updatedAt: number } | undefined;
}

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

/** Whether the query looks at fields that the service sets. */
export function needsSystemFields(query: EntityQuery): boolean {
  return [...filterNames(query), ...sortNames(query)].some(isSystemField);
}

/**
 * Finds one page of a query in a single pass. Of the data it reads only the members that the query looks at, and it
 * keeps no more entities than the page needs.
 *
 * @param maxDepth nesting that no data exceed
 */
export function findEntities(
  entities: Iterable<ScannedEntity>,
  query: EntityQuery,
  start: PageStart,
  limit: number,
  maxDepth: number,
): FoundEntities {
  const { filter, sortBy, order } = query;
  const readFiltered = dataReader(filterNames(query), maxDepth);
  const readSorted = dataReader(sortNames(query), maxDepth);
  const compare = (a: EntityPosition, b: EntityPosition) => compareEntityPositions(a, b, order);
  const skip = "skip" in start ? start.skip : 0;
  const first = new FirstInOrder(skip + limit, compare);
  let total = 0;
  let passed = 0;
  for (const { sequence, data, system } of entities) {
    const fields = system === undefined ? notRead : systemValues(system);
    if (filter !== undefined) {
      const subject = { system: fields, attributes: readFiltered(data) };
      if (!evaluate(filter.expression, subject, filter.values)) continue;
    }
    total += 1;
    // only what passed is worth reading on
    const value = sortBy === undefined ? undefined : sortValue(fields, readSorted(data), sortBy);
    const position = { value, sequence };
    if ("after" in start && compare(position, start.after) <= 0) passed += 1;
    else first.add(position);
  }
  return { page: first.values().slice(skip), total, before: passed + Math.min(skip, total) };
}

/** The names at the top level, system fields included, that decide whether an entity passes. */
function filterNames({ filter }: EntityQuery): readonly string[] {
  return filter === undefined ? [] : [...attributeNames(filter.expression)];
}

/** The same for the place of an entity. */
function sortNames({ sortBy }: EntityQuery): readonly string[] {
  if (sortBy === undefined) return [];
  return [isSystemField(sortBy) ? sortBy : (sortBy.split(".", 1)[0] ?? "")];
}

function dataReader(names: readonly string[], maxDepth: number) {
  return memberReader(
    names.filter((name) => !isSystemField(name)),
    maxDepth,
  );
}

const notRead = { id: "", createdAt: "", updatedAt: "" };

function systemValues({ id, createdAt, updatedAt }: NonNullable<ScannedEntity["system"]>) {
  return { id, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) };
}
