import { isDeepStrictEqual } from "node:util";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { type Place, type Shape, typeOf, unknownPlace } from "./answer-schemas.js";
import type { IdMapping } from "./id-mapping.js";
import { parse } from "lossless-json";
import { exactValue } from "../client/json-text.js";

/** A place in which two answers differ. */
export interface Mismatch {
  /** What differs, the same for all answers of one schema: `Item.updatedAt`, `header content-type`, `status`. */
  readonly field: string;
  /** How it differs, in words that hold nothing of the values. */
  readonly kind: string;
  /** JSON pointer into the body; nothing for statuses, headers and routes. */
  readonly pointer?: string;
  /** What stands there; nothing where nothing does. */
  readonly first?: string;
  readonly second?: string;
  /** The values are compared exactly, so that each operation has causes of its own. */
  readonly isOfOperation?: true;
  /** It may pass by itself: a figure that lags. */
  readonly mayPass?: true;
  /** Instants are in another order, which may be chance where they are close together. */
  readonly isAboutTime?: true;
}

export interface AnswerContext {
  readonly ids: IdMapping;
  /** The number of the answer in its history. */
  readonly answer: number;
  /** What the figures of the answer are about; nothing where they count from zero. */
  readonly figuresOf: string | undefined;
  readonly figuresOfEntry: (entry: unknown) => string | undefined;
  /** Whether an entry of a list belongs to the run. */
  readonly isOurs: (entry: unknown) => boolean;
  /** When the run began on each target: older instants have no order. */
  readonly began: readonly [number, number];
  /** Instants that the targets have shown before the run. */
  readonly givenInstants: ReadonlySet<string>;
  /** What the names begin with that the run has made on each target by itself. */
  readonly mark: string;
  /** Whether a list is one page of several, which may hold other entries than the same page of the other target. */
  readonly isPage: boolean;
  /** Whether a page may have fewer entries than another: they were chosen after the page was cut. */
  readonly isFiltered: boolean;
}

/** Compares two bodies as the contract says; numbers are {@link ExactNumber}s. */
export function compareBodies(
  first: unknown,
  second: unknown,
  place: Place,
  root: string,
  context: AnswerContext,
): readonly Mismatch[] {
  const comparison = new BodyComparison(context);
  comparison.compare(first, second, place, "", root);
  return comparison.found;
}

/** Whether a value has the format of its schema; true for values of other types. */
const hasFormat: Readonly<Record<NonNullable<Shape["format"]>, (value: unknown) => boolean>> = {
  uri: (value) => typeof value !== "string" || /^[a-z][a-z0-9+.-]*:/i.test(value),
  integer: (value) => !(value instanceof ExactNumber) || Number.isInteger(Number(value.value)),
};

const formatNames = { uri: "an absolute URL", integer: "an integer" } as const;

class BodyComparison {
  readonly found: Mismatch[] = [];
  readonly #context: AnswerContext;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  compare(first: unknown, second: unknown, place: Place, pointer: string, path: string): void {
    const [shape, other] = [place(first), place(second)];
    const field = shape.name ?? other.name ?? path;
    const format = shape.format ?? other.format;
    const [type, otherType] = [typeOf(first), typeOf(second)];
    const note = (kind: string) => this.#note({ field, kind, pointer }, first, second);
    if (type !== otherType) note(`${type} on the first side, ${otherType} on the second`);
    else if (format !== undefined && hasFormat[format](first) !== hasFormat[format](second))
      note(`${formatNames[format]} on one side alone`);
    else if (shape.kind === "present") return;
    else if (Array.isArray(first) && Array.isArray(second) && shape.kind !== "data")
      this.#compareLists(first, second, shape, pointer, field);
    else if (type === "object" && shape.kind !== "data")
      this.#compareFields(first as object, second as object, [shape, other], pointer, field);
    else this.#compareValues(first, second, shape, pointer, field);
  }

  #compareFields(
    first: object,
    second: object,
    [shape, other]: readonly [Shape, Shape],
    pointer: string,
    path: string,
  ): void {
    const [mine, theirs] = [
      new Map<string, unknown>(Object.entries(first)),
      new Map<string, unknown>(Object.entries(second)),
    ];
    for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
      const [at, field] = [appendPointer(pointer, name), `${path}.${name}`];
      const [left, right] = [mine.get(name), theirs.get(name)];
      const where = { field, pointer: at };
      if (!mine.has(name)) this.#note({ ...where, kind: "on the second side alone" }, undefined, right);
      else if (!theirs.has(name)) this.#note({ ...where, kind: "on the first side alone" }, left, undefined);
      else
        this.compare(
          left,
          right,
          shape.fields?.get(name) ?? other.fields?.get(name) ?? unknownPlace,
          at,
          field,
        );
    }
  }

  #compareValues(first: unknown, second: unknown, { kind }: Shape, pointer: string, field: string): void {
    const { ids, figuresOf, began, answer, givenInstants, mark } = this.#context;
    const where = { field, pointer };
    const name = pointer.slice(pointer.lastIndexOf("/") + 1);
    // a field that no contract names, and a cursor: that both have it is all there is to compare
    if (kind === undefined || isCursor.test(name)) return;
    if (
      (kind === "opaque" || kind === "suffixed") &&
      typeof first === "string" &&
      typeof second === "string"
    ) {
      const isMade = kind === "opaque" || (stem(first) !== "" && stem(first) === stem(second));
      if (isMade && (kind === "opaque" || first !== second)) {
        const reason = ids.bind(first, second, name);
        if (reason !== undefined) this.#note({ ...where, kind: reason }, first, second);
        return;
      }
    }
    if (kind === "time") {
      const [left, right] = [instantOf(first), instantOf(second)];
      if ((left === undefined) !== (right === undefined))
        this.#note({ ...where, kind: "an instant on one side alone" }, first, second);
      else if (isUtc.test(String(first)) !== isUtc.test(String(second)))
        this.#note({ ...where, kind: "UTC on one side alone" }, first, second);
      if (left === undefined || right === undefined || left < began[0] || right < began[1]) return;
      // the end of a period that began before the run
      if (givenInstants.has(String(first)) || givenInstants.has(String(second))) return;
      if (!ids.bindInstants(left, right, answer))
        this.#note({ ...where, kind: "another order of instants", isAboutTime: true }, first, second);
      return;
    }
    if (kind === "lagging" && first instanceof ExactNumber && second instanceof ExactNumber) {
      const about = figuresOf === undefined ? undefined : `${figuresOf} ${pointer}`;
      if (!ids.haveGrownAlike(Number(first.value), Number(second.value), about))
        this.#note({ ...where, kind: "another figure", mayPass: true }, first, second);
      return;
    }
    if (isSame(first, second, ids)) return;
    if ([first, second].every((value) => typeof value === "string" && value.includes(mark)))
      if (ids.bind(String(first), String(second), name) === undefined) return;
    if (kind === "data") {
      this.#note({ ...where, kind: dataDifference(first, second) }, first, second);
      return;
    }
    this.#note(
      {
        ...where,
        kind: "another value",
        ...(kind === "lagging" ? { mayPass: true } : {}),
      },
      first,
      second,
    );
  }

  #compareLists(
    first: readonly unknown[],
    second: readonly unknown[],
    shape: Shape,
    pointer: string,
    path: string,
  ): void {
    const { isOurs, isPage, isFiltered } = this.#context;
    const items = shape.items ?? unknownPlace;
    const [field, where] = [`${path}[]`, { field: path, pointer, kind: "another number of entries" }];
    const isUnordered = shape.kind === "unordered";
    const [mine, theirs] = isUnordered
      ? [first.filter(isOurs), second.filter(isOurs)]
      : [[...first], [...second]];
    const count = [mine.length, theirs.length];
    if (isUnordered) {
      const unmatched = mine.filter((entry) => !this.#match(entry, theirs, items, pointer, field));
      // the same page of another target may hold other entries
      if (isPage) {
        const areOurs = count[0] === first.length && count[1] === second.length;
        if (areOurs && !isFiltered && count[0] !== count[1])
          this.#note({ ...where, isOfOperation: true }, first, second);
        return;
      }
      mine.splice(0, mine.length, ...unmatched);
    }
    if (count[0] !== count[1]) this.#note({ ...where, isOfOperation: true }, first, second);
    if (!isUnordered && this.#areReordered(mine, theirs, items, pointer, field)) {
      this.#note({ ...where, kind: "another order of entries", isOfOperation: true }, first, second);
      return;
    }
    // entries without a partner show nothing but that
    if (isUnordered && mine.length !== theirs.length) return;
    for (let index = 0; index < Math.min(mine.length, theirs.length); index++)
      this.found.push(
        ...this.#compareEntries(mine[index], theirs[index], items, appendPointer(pointer, index), field),
      );
  }

  /** Whether lists with an order have the same entries in another one. */
  #areReordered(
    mine: readonly unknown[],
    theirs: readonly unknown[],
    items: Place,
    pointer: string,
    path: string,
  ): boolean {
    if (mine.length !== theirs.length || mine.length < 2) return false;
    const mark = this.#context.ids.mark();
    const isSameOrder = mine.every(
      (entry, index) => this.#compareEntries(entry, theirs[index], items, pointer, path).length === 0,
    );
    this.#context.ids.rollback(mark);
    if (isSameOrder) return false;
    const others = [...theirs];
    if (mine.every((entry) => this.#match(entry, others, items, pointer, path))) return true;
    this.#context.ids.rollback(mark);
    return false;
  }

  /** Looks for an entry of the other target that is the same, and takes it out. */
  #match(entry: unknown, others: unknown[], items: Place, pointer: string, path: string): boolean {
    const { ids } = this.#context;
    for (const [index, other] of others.entries()) {
      const mark = ids.mark();
      if (this.#compareEntries(entry, other, items, appendPointer(pointer, index), path).length === 0) {
        others.splice(index, 1);
        return true;
      }
      ids.rollback(mark);
    }
    return false;
  }

  #compareEntries(
    entry: unknown,
    other: unknown,
    items: Place,
    pointer: string,
    path: string,
  ): readonly Mismatch[] {
    const inner = new BodyComparison({ ...this.#context, figuresOf: this.#context.figuresOfEntry(entry) });
    inner.compare(entry, other, items, pointer, path);
    return inner.found;
  }

  #note(mismatch: Mismatch, first: unknown, second: unknown): void {
    this.found.push({
      ...mismatch,
      ...(first === undefined ? {} : { first: shown(first) }),
      ...(second === undefined ? {} : { second: shown(second) }),
    });
  }
}

/** Whether two values are the same; texts that correspond count as such. */
function isSame(first: unknown, second: unknown, ids: IdMapping): boolean {
  if (isDeepStrictEqual(first, second)) return true;
  if (typeof first === "string" && typeof second === "string") return ids.areBound(first, second);
  if (typeOf(first) !== typeOf(second) || !["array", "object"].includes(typeOf(first))) return false;
  const [mine, theirs] = [Object.entries(first as object), new Map(Object.entries(second as object))];
  return (
    mine.length === theirs.size &&
    mine.every(([name, value]) => theirs.has(name) && isSame(value, theirs.get(name), ids))
  );
}

/** What differs first in two values that a client has given. */
function dataDifference(first: unknown, second: unknown): string {
  const [type, other] = [typeOf(first), typeOf(second)];
  if (type !== other) return `${type} on the first side, ${other} on the second`;
  if (type === "array" && (first as unknown[]).length !== (second as unknown[]).length)
    return "another number of entries";
  if (type !== "array" && type !== "object") return `another ${type}`;
  const [mine, theirs] = [Object.entries(first as object), new Map(Object.entries(second as object))];
  for (const [name, value] of mine) {
    if (!theirs.has(name)) return "a field on the first side alone";
    if (!isDeepStrictEqual(value, theirs.get(name))) return dataDifference(value, theirs.get(name));
  }
  return "a field on the second side alone";
}

/** Places in a list, spelled as a service likes: two of the same place need not be the same text. */
const isCursor = /^next(Cursor|PageToken)$/;

function stem(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("-")));
}

const isUtc = /([Zz]|[+-]00:?00)$/;

/** Milliseconds since 1970, with the digits that a `Date` does not keep. */
function instantOf(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) return undefined;
  const finer = /\.\d{3}(\d+)/.exec(value)?.[1];
  return finer === undefined ? milliseconds : milliseconds + Number(`0.${finer}`);
}

const maxShown = 200;

function shown(value: unknown): string {
  const text = spelled(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** JSON with all digits of its numbers. */
function spelled(value: unknown): string {
  if (value instanceof ExactNumber) return value.toString();
  if (Array.isArray(value)) return `[${value.map(spelled).join(",")}]`;
  if (typeOf(value) !== "object") return JSON.stringify(value);
  const fields = Object.entries(value as object);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${spelled(field)}`).join(",")}}`;
}

/** A number of an answer by its value, whatever its spelling: `1.50` is `15e-1`. */
export class ExactNumber {
  readonly value: string;
  readonly #spelling: string;

  constructor(spelling: string) {
    this.value = exactValue(spelling);
    this.#spelling = spelling;
  }

  toString(): string {
    return this.#spelling;
  }

  /** For descriptions. */
  toJSON(): string {
    return this.value;
  }
}

/** Reads JSON without rounding: numbers become {@link ExactNumber}, `__proto__` is a field like any other. */
export function readExact(text: string): unknown {
  return parse(text, undefined, (spelling) => new ExactNumber(spelling));
}
