import { SmallestValues } from "../domain/smallest-values.js";
import { listAttributePaths } from "../expressions/operands.js";
import { evaluateExpression, getValueAtPath } from "../expressions/evaluate.js";
import type { EvaluationBudget } from "../expressions/evaluation-budget.js";
import type { Expression, Path } from "../expressions/expression.js";
import { CompactJsonReader } from "../json/compact-reader.js";
import { getFieldEntries, isJsonObject, type JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { formatTimestamp } from "../time/timestamp.js";
import {
  compareEntityPositions,
  type EntityPosition,
  isSystemField,
  parseSortPath,
  type SystemField,
} from "./entity-order.js";

/** A part of an entity that a query may need. */
export type ScannedField = "data" | SystemField;

/** A scanned entity: its sequence number and the requested fields; the other fields are empty. */
export interface ScannedEntity {
  readonly sequence: number;
  /** Compact JSON text. */
  readonly data: string;
  readonly entityId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Visits the entities one by one. This is not an iterable, which would be much slower for many entities. */
export type EntityScan = (visit: (entity: ScannedEntity) => void) => void;

/** The entities to find, and their order. */
export interface EntityQuery {
  readonly filter: { readonly expression: Expression; readonly values: JsonValue | undefined } | undefined;
  /** If undefined, entities are in the order of creation. */
  readonly sortBy: string | undefined;
  readonly isDescending: boolean;
  /** The cost limit for evaluating the filter and comparing values. */
  readonly work: EvaluationBudget;
}

/** The entities of one page, and how many there are in all. */
export interface EntitySearchResult {
  readonly page: readonly EntityPosition[];
  /** Number of entities that match the filter. */
  readonly total: number;
  /** Number of entities before the page. */
  readonly before: number;
}

/** Returns the parts of entities that a query must read. */
export function listScannedFields({ filter, sortBy }: EntityQuery): readonly ScannedField[] {
  const names = [
    ...(filter === undefined ? [] : listAttributePaths(filter.expression).map(([name]) => name)),
    ...(sortBy === undefined ? [] : [parseSortPath(sortBy)[0]]),
  ];
  return [...new Set(names.map((name) => (isSystemField(name) ? name : "data")))];
}

/**
 * Finds one page of a query in a single pass. It parses only the values that the query uses, and keeps only the positions
 * that the page needs.
 *
 * @param scan provides at least the {@link listScannedFields}
 * @param after the last position of the previous page
 * @param maxDepth maximum nesting of the data
 * @throws EvaluationLimitError
 */
export function findEntities(
  scan: EntityScan,
  query: EntityQuery,
  after: EntityPosition | undefined,
  limit: number,
  maxDepth: number,
): EntitySearchResult {
  const { filter, sortBy, isDescending, work } = query;
  const reader = new EntityReader(maxDepth, work);
  const resolvePath = (path: Path) => reader.read(path);
  // Finding a value in a map is faster than in an object.
  const values = isJsonObject(filter?.values) ? new Map(getFieldEntries(filter.values)) : undefined;
  const context = { resolvePath, values, work };
  const sortPath = sortBy === undefined ? undefined : parseSortPath(sortBy);
  const page = new SmallestValues<EntityPosition>(limit, (a, b) =>
    compareEntityPositions(a, b, isDescending, work),
  );
  let total = 0;
  let before = 0;
  scan((entity) => {
    work.spend(entityCost + entity.data.length / 4);
    reader.open(entity);
    if (filter !== undefined && !evaluateExpression(filter.expression, context)) return;
    total += 1;
    const value = sortPath === undefined ? undefined : reader.read(sortPath);
    const position = { value, sequence: entity.sequence };
    if (after !== undefined && compareEntityPositions(position, after, isDescending, work) <= 0) before += 1;
    else page.add(position);
  });
  return { page: page.values(), total, before };
}

/** Up to this many paths are read from the text of the data. For more paths, parsing all of the data is faster. */
const maxFastPaths = 16;

/** The cost of reading an entity from the database, without its data, in compared characters. */
const entityCost = 50;

/** Reads values from one scanned entity after the other. The names of system fields never mean fields of the data. */
class EntityReader {
  readonly #data: CompactJsonReader;
  readonly #readers = new Map<Path, () => JsonValue | undefined>();
  /** Readers by the JSON text of their path. An expression may contain equal paths. */
  readonly #readersByText = new Map<string, () => JsonValue | undefined>();
  #entity: ScannedEntity | undefined;
  /** How many entities were opened. */
  #opened = 0;
  /** The parsed data of the entity, once needed. */
  #parsedData: JsonValue | undefined;

  constructor(
    private readonly maxDepth: number,
    private readonly work: EvaluationBudget,
  ) {
    this.#data = new CompactJsonReader(maxDepth, work);
  }

  open(entity: ScannedEntity): void {
    this.#entity = entity;
    this.#opened += 1;
    this.#data.open(entity.data);
    this.#parsedData = undefined;
  }

  read(path: Path): JsonValue | undefined {
    let read = this.#readers.get(path);
    if (read === undefined) {
      const text = JSON.stringify(path);
      read = this.#readersByText.get(text);
      if (read === undefined)
        this.#readersByText.set(text, (read = this.#readOnce(this.#createReader(path))));
      this.#readers.set(path, read);
    }
    return read();
  }

  /** Reads a value once for each entity. */
  #readOnce(read: () => JsonValue | undefined): () => JsonValue | undefined {
    let readFor = 0;
    let value: JsonValue | undefined;
    return () => {
      if (readFor === this.#opened) return value;
      readFor = this.#opened;
      return (value = read());
    };
  }

  #createReader(path: Path): () => JsonValue | undefined {
    const [field] = path;
    if (!isSystemField(field))
      return this.#readersByText.size < maxFastPaths
        ? this.#data.createReader(path)
        : () => getValueAtPath(path, this.#parseData());
    // System fields are strings, which have no fields.
    if (path.length > 1) return () => undefined;
    return field === "id" ? () => this.#entity?.entityId : () => formatTimestamp(this.#entity?.[field] ?? 0);
  }

  #parseData(): JsonValue {
    if (this.#parsedData !== undefined) return this.#parsedData;
    const { data } = this.#entity ?? { data: "{}" };
    this.work.spendOnParsing(data.length);
    return (this.#parsedData = parseJson(data, { maxDepth: this.maxDepth }));
  }
}
