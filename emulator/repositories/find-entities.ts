import { SmallestValues } from "../domain/smallest-values.js";
import { listAttributePaths } from "../expressions/operands.js";
import { evaluateWithResolver, resolvePath } from "../expressions/evaluate.js";
import type { EvaluationBudget } from "../expressions/evaluation-budget.js";
import type { Expression, Path } from "../expressions/expression.js";
import { CompactJsonReader } from "../json/compact-reader.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { formatTimestamp } from "../time/timestamp.js";
import {
  compareEntityPositions,
  type EntityOrder,
  type EntityPosition,
  isSystemField,
  parseSortPath,
  type SystemField,
} from "./entity-order.js";

/** The parts of an entity that a query may need. */
export type ScannedField = "data" | SystemField;

/** A scanned entity: its sequence number and the requested fields; other fields are blank. */
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
  readonly filter:
    | {
        readonly expression: Expression;
        readonly values: JsonValue | undefined;
      }
    | undefined;
  /** Without it entities are in the order of creation. */
  readonly sortBy: string | undefined;
  readonly order: EntityOrder;
  /** The cost limit for evaluating the filter and comparing values. */
  readonly work: EvaluationBudget;
}

/** The entities of one page, and how many there are in all. */
export interface EntitySearchResult {
  readonly page: readonly EntityPosition[];
  /** Number of entities that the filter lets through. */
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
 * Finds one page of a query in a single pass. Of the data it reads only the values that the query looks at, and it
 * keeps no more entities than the page needs.
 *
 * @param scan gives at least the {@link listScannedFields}
 * @param after the last position of the page before
 * @param maxDepth nesting that no data exceed
 * @throws EvaluationLimitError
 */
export function findEntities(
  scan: EntityScan,
  query: EntityQuery,
  after: EntityPosition | undefined,
  limit: number,
  maxDepth: number,
): EntitySearchResult {
  const { filter, sortBy, order, work } = query;
  const subject = new ScannedSubject(maxDepth, work);
  const valueAt = (path: Path) => subject.valueAt(path);
  const sorting = sortBy === undefined ? undefined : parseSortPath(sortBy);
  const first = new SmallestValues<EntityPosition>(limit, (a, b) =>
    compareEntityPositions(a, b, order, work),
  );
  let total = 0;
  let before = 0;
  scan((entity) => {
    work.spend(entityCost + entity.data.length / 4);
    subject.open(entity);
    if (filter !== undefined && !evaluateWithResolver(filter.expression, valueAt, filter.values, work))
      return;
    total += 1;
    // the rest is read only for entities that match
    const value = sorting === undefined ? undefined : subject.valueAt(sorting);
    const position = { value, sequence: entity.sequence };
    if (after !== undefined && compareEntityPositions(position, after, order, work) <= 0) before += 1;
    else first.add(position);
  });
  return { page: first.values(), total, before };
}

/** Up to this many paths are read from the text of the data; for more, parsing all of it is faster. */
const maxFastPaths = 16;

/** The cost of reading an entity from the database, beside that of its data, in compared characters. */
const entityCost = 50;

/** Finds values in one scanned entity after the other. The names of system fields never mean fields of the data. */
class ScannedSubject {
  readonly #data: CompactJsonReader;
  readonly #maxDepth: number;
  readonly #work: EvaluationBudget;
  readonly #readers = new Map<Path, () => JsonValue | undefined>();
  /** The same by the paths' texts: an expression may name one path any number of times. */
  readonly #byText = new Map<string, () => JsonValue | undefined>();
  #entity: ScannedEntity | undefined;
  /** How many entities were opened. */
  #opened = 0;
  /** The parsed data of the entity, once needed. */
  #whole: JsonValue | undefined;

  constructor(maxDepth: number, work: EvaluationBudget) {
    this.#data = new CompactJsonReader(maxDepth, work);
    this.#maxDepth = maxDepth;
    this.#work = work;
  }

  open(entity: ScannedEntity): void {
    this.#entity = entity;
    this.#opened += 1;
    this.#data.open(entity.data);
    this.#whole = undefined;
  }

  valueAt(path: Path): JsonValue | undefined {
    let read = this.#readers.get(path);
    if (read === undefined) {
      const text = JSON.stringify(path);
      read = this.#byText.get(text);
      if (read === undefined) this.#byText.set(text, (read = this.#readOnce(this.#readerOf(path))));
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

  #readerOf(path: Path): () => JsonValue | undefined {
    const [field] = path;
    if (!isSystemField(field))
      return this.#byText.size < maxFastPaths
        ? this.#data.reader(path)
        : () => resolvePath(path, this.#wholeData());
    // a text has no fields
    if (path.length > 1) return () => undefined;
    return field === "id" ? () => this.#entity?.entityId : () => formatTimestamp(this.#entity?.[field] ?? 0);
  }

  #wholeData(): JsonValue {
    if (this.#whole !== undefined) return this.#whole;
    const { data } = this.#entity ?? { data: "{}" };
    this.#work.spendOnParsing(data.length);
    return (this.#whole = parseJson(data, { maxDepth: this.#maxDepth }));
  }
}
