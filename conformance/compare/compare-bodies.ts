import { isLosslessNumber } from "lossless-json";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { getJsonType, stringifyJson, toCanonicalJson } from "../client/json-text.js";
import { parseInstant } from "../steps/parse-instant.js";
import { type ResponseSchemas, getFieldSchema, type Schema, type SchemaShape } from "./response-schemas.js";
import type { BindingConflict, IdMapping } from "./id-mapping.js";
import type { Pair } from "./pair.js";

/** A difference between two responses. */
export interface Mismatch {
  /** The differing field, with the same name in all responses of one schema: `Item.updatedAt`, `header content-type`, `status`. */
  readonly field: string;
  /** How it differs, without the values. */
  readonly kind: string;
  /** JSON pointer into the body; undefined for statuses, headers and routes. */
  readonly pointer?: string;
  /** The value at that place; undefined if there is none. */
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** Whether the difference depends on the operation, so that each operation has a separate cause. */
  readonly isOperationSpecific?: true;
  /** Whether the difference may be temporary, because a count lags. */
  readonly mayBeTemporary?: true;
  /** Whether the values, if they are ids, belong to different resources. */
  readonly isDifferentId?: true;
  /** Whether instants have a different order, which may be chance if they are close together. */
  readonly isAboutTime?: true;
}

/** Describes a difference by what each side has. */
export const describeBothSides = (first: string, second: string): string =>
  `${first} on the first side, ${second} on the second`;

/** Describes something that only one side has. */
export const describeOneSide = (isFirst: boolean): string =>
  `only on the ${isFirst ? "first" : "second"} side`;

/** Whether a description says that only one side has something. */
export const isOneSided = (kind: string): boolean => /\bonly( on the (first|second) side)?$/.test(kind);

/** Information about two responses besides their bodies. */
export interface BodyComparisonContext {
  readonly schemas: ResponseSchemas;
  readonly ids: IdMapping;
  /** Number of the response in its history. */
  readonly answer: number;
  readonly caller: string;
  /** Returns what the numbers in a response or an entry of a list count; undefined if they began at zero. */
  readonly getCountSubject: (entry: unknown) => string | undefined;
  /** Whether lagging counts are not compared, because only one target has carried out an earlier request. */
  readonly ignoresCounts: boolean;
  /** Whether an entry of a list belongs to this run. */
  readonly belongsToRun: (entry: unknown) => boolean;
  /** Whether instants are from before the run or, with pauses, the history; such instants are not compared by order. */
  readonly arePreexisting: (instants: Pair<number>) => boolean;
  /** Prefix of the names that the run has created on each target separately. */
  readonly namePrefix: string;
  /** Whether a list is one of several pages, whose entries may differ from those of the same page on the other target. */
  readonly isPage: boolean;
  /** Whether pages may have different numbers of entries, because entries are filtered after the page was read. */
  readonly isFiltered: boolean;
}

/** Compares two bodies, parsed by lossless-json, according to the contract. */
export function compareBodies(
  first: unknown,
  second: unknown,
  schema: Schema,
  root: string,
  context: BodyComparisonContext,
): readonly Mismatch[] {
  return new BodyComparison(context, undefined).compare(first, second, { schema, pointer: "", path: root });
}

/** The place of two values. */
interface Where {
  readonly schema: Schema;
  readonly pointer: string;
  /** The place in the body, in a form that is the same for all operations. */
  readonly path: string;
}

/** The values at one place of both bodies, and the name of the field. */
interface ComparedValues extends Required<Pick<Mismatch, "field" | "pointer">> {
  readonly first: unknown;
  readonly second: unknown;
}

/** Whether a value has the format of its schema; true for values of other types. */
function hasFormat(value: unknown, format: SchemaShape["format"]): boolean {
  if (format === "an absolute URL") return typeof value !== "string" || URL.canParse(value);
  return format === undefined || !isLosslessNumber(value) || Number.isInteger(Number(value.value));
}

/** Schema of data from clients and all its parts. */
const dataSchema: Schema = { "x-compare": "data" };

class BodyComparison {
  /** @param entry the entry of a list to which the compared values belong; undefined outside of lists */
  constructor(
    private readonly context: BodyComparisonContext,
    private readonly entry: unknown,
  ) {}

  compare(first: unknown, second: unknown, { schema, pointer, path }: Where): readonly Mismatch[] {
    const { schemas } = this.context;
    const [shape, other] = [schemas.getShape(schema, first), schemas.getShape(schema, second)];
    const [type, otherType] = [getJsonType(first), getJsonType(second)];
    const format = shape.format ?? other.format;
    const pair = { first, second, pointer, field: shape.name ?? other.name ?? path };
    if (type !== otherType) return describeMismatch(pair, describeBothSides(type, otherType));
    if (hasFormat(first, format) !== hasFormat(second, format))
      return describeMismatch(pair, `${format} on one side only`);
    if (shape.kind === "present" || (shape.kind === "data" && areEqual(first, second))) return [];
    if (Array.isArray(first) && Array.isArray(second)) return this.#compareLists(first, second, pair, shape);
    if (type !== "object") return this.#compareValues(pair, shape);
    if (shape.name !== other.name && shape.name !== undefined && other.name !== undefined)
      return describeMismatch(pair, describeBothSides(shape.name, other.name));
    return this.#compareFields(pair, shape, other);
  }

  #compareFields(pair: ComparedValues, shape: SchemaShape, other: SchemaShape): readonly Mismatch[] {
    const sides = [pair.first, pair.second].map((side) => new Map(Object.entries(side as object)));
    const isData = shape.kind === "data";
    const lists = sides.flatMap((side) => [...side].filter(([, value]) => Array.isArray(value)));
    const hasForeignEntries = lists.some(([, list]) => !(list as unknown[]).every(this.context.belongsToRun));
    const isCount = (name: string) =>
      lists.some(([list]) => sides.every((side) => isEntryCount(side.get(name), side.get(list))));
    const names = new Set(sides.flatMap((side) => [...side.keys()]));
    // If a column has different names, each side lacks a field.
    const haveOtherFields = isData && sides.every((side) => side.size < names.size);
    const found = haveOtherFields ? [...describeMismatch(pair, "fields with different names")] : [];
    for (const name of names) {
      // Cursors depend on entries of other clients. Different counts are already reported for the list.
      if ((isCursor.test(name) && hasForeignEntries) || isCount(name)) continue;
      const pointer = appendPointer(pair.pointer, name);
      const known = getFieldSchema(shape, name) ?? getFieldSchema(other, name);
      const schema = known ?? (isData ? dataSchema : {});
      const path = isData ? pair.field : `${pair.field}.${name}`;
      // An undocumented field has the same name wherever it occurs.
      const field = isData || known !== undefined ? path : name;
      const [first, second] = sides.map((side) => side.get(name) as unknown);
      if (first !== undefined && second !== undefined)
        found.push(...this.compare(first, second, { schema, pointer, path }));
      else if (!haveOtherFields)
        found.push(
          ...describeMismatch({ first, second, field, pointer }, describeOneSide(second === undefined)),
        );
    }
    return found;
  }

  #compareValues(pair: ComparedValues, { kind }: SchemaShape): readonly Mismatch[] {
    const { ids, getCountSubject, ignoresCounts, namePrefix, caller } = this.context;
    const { first, second, pointer } = pair;
    const name = pointer.slice(pointer.lastIndexOf("/") + 1);
    // Undocumented fields and cursors only have to be present on both sides.
    if (kind === undefined || isCursor.test(name) || (kind === "lagging" && ignoresCounts)) return [];
    if (kind === "time") return this.#compareInstants(pair);
    if (typeof first === "string" && typeof second === "string") {
      const isMade =
        kind === "suffixed" &&
        first !== second &&
        getStem(first) !== "" &&
        getStem(first) === getStem(second);
      if (kind === "opaque" || isMade) {
        const space = countedPerOrganization.has(name) ? `${name} of ${caller}` : name;
        const conflict = ids.bind(first, second, space);
        if (conflict === undefined) return [];
        return describeMismatch(
          pair,
          conflicts[conflict],
          conflict === "sent" ? {} : { isDifferentId: true },
        );
      }
      if (first === second || ids.areBound(first, second)) return [];
      if (
        first.includes(namePrefix) &&
        second.includes(namePrefix) &&
        ids.bind(first, second, name) === undefined
      )
        return [];
    }
    const more = kind === "lagging" ? ({ mayBeTemporary: true } as const) : {};
    if (kind === "lagging" && isLosslessNumber(first) && isLosslessNumber(second)) {
      const about = getCountSubject(this.entry);
      const place = about === undefined ? undefined : `${about} ${pointer}`;
      const areAlike = ids.haveEqualGrowth(Number(first.value), Number(second.value), place);
      return areAlike ? [] : describeMismatch(pair, "a different number", more);
    }
    if (areEqual(first, second)) return [];
    return kind === "data"
      ? describeMismatch(pair, `a different ${getJsonType(first)}`)
      : describeMismatch(pair, "a different value", { ...more, isDifferentId: true });
  }

  #compareInstants(pair: ComparedValues): readonly Mismatch[] {
    const { ids, arePreexisting, answer } = this.context;
    const [first, second] = [parseInstant(pair.first), parseInstant(pair.second)];
    // All timestamps of a target have the same format, so a difference is reported for all of them at once.
    if ((first === undefined) !== (second === undefined))
      return describeMismatch({ ...pair, field: "every timestamp" }, "ISO 8601 in UTC on one side only");
    if (first === undefined || second === undefined || arePreexisting([first, second])) return [];
    const haveSameOrder = ids.bindInstants(first, second, answer);
    return haveSameOrder
      ? []
      : describeMismatch(pair, "timestamps in a different order", { isAboutTime: true });
  }

  #compareLists(
    first: readonly unknown[],
    second: readonly unknown[],
    pair: ComparedValues,
    { kind, items }: SchemaShape,
  ): readonly Mismatch[] {
    const { belongsToRun, isPage, isFiltered, ids } = this.context;
    const { pointer, field } = pair;
    const [isUnordered, isData] = [kind === "unordered", kind === "data"];
    const where = {
      schema: items ?? (isData ? dataSchema : {}),
      pointer,
      path: isData ? field : `${field}[]`,
    };
    const differ = (how: string) => describeMismatch(pair, how, isData ? {} : { isOperationSpecific: true });
    const [firstEntries, secondEntries] = isUnordered
      ? [first.filter(belongsToRun), second.filter(belongsToRun)]
      : [first, second];
    // A page of one target may contain other entries than the same page of the other target.
    const mayDiffer =
      isPage && (isFiltered || firstEntries.length < first.length || secondEntries.length < second.length);
    const isSameCount = firstEntries.length === secondEntries.length;
    const isMissing = !isSameCount && !(isUnordered && mayDiffer);
    const counted = isMissing ? differ("a different number of entries") : [];
    const savepoint = ids.createSavepoint();
    const others = [...secondEntries];
    if (isUnordered) {
      const unmatched = firstEntries.filter((entry) => !this.#takeEqual(entry, others, where));
      // If the counts differ, comparing entries that have no counterpart shows nothing new.
      return isSameCount && !isPage ? this.#compareEntries(unmatched, others, where) : counted;
    }
    let found = this.#compareEntries(firstEntries, secondEntries, where);
    if (found.length > 0 && isSameCount && firstEntries.length > 1) {
      ids.rollback(savepoint);
      if (firstEntries.every((entry) => this.#takeEqual(entry, others, where)))
        return differ("entries in a different order");
      ids.rollback(savepoint);
      found = this.#compareEntries(firstEntries, secondEntries, where);
    }
    // Entries for different resources differ in all fields, so only one difference is reported.
    const haveOthers = !isData && found.some((entry) => isForOtherResource(entry, pointer));
    if (haveOthers) ids.rollback(savepoint);
    return [...counted, ...(haveOthers ? differ("different entries") : found)];
  }

  /** Finds an equal entry of the other target and removes it from the list; returns whether there is one. */
  #takeEqual(entry: unknown, others: unknown[], where: Where): boolean {
    const { ids } = this.context;
    for (const [index, other] of others.entries()) {
      const savepoint = ids.createSavepoint();
      if (this.#compareEntries([entry], [other], where).length === 0) {
        others.splice(index, 1);
        return true;
      }
      ids.rollback(savepoint);
    }
    return false;
  }

  /** Compares entries one by one, up to the length of the shorter list. */
  #compareEntries(
    entries: readonly unknown[],
    others: readonly unknown[],
    { schema, pointer, path }: Where,
  ): readonly Mismatch[] {
    return entries.slice(0, others.length).flatMap((entry, index) => {
      const here = { schema, pointer: appendPointer(pointer, index), path };
      return new BodyComparison(this.context, entry).compare(entry, others[index], here);
    });
  }
}

function describeMismatch(
  { first, second, ...place }: ComparedValues,
  kind: string,
  more: Partial<Mismatch> = {},
): readonly Mismatch[] {
  return [{ ...place, kind, first: formatValue(first), second: formatValue(second), ...more }];
}

/** Whether a value is the number of entries of a list; null is a list without entries. */
function isEntryCount(value: unknown, list: unknown): boolean {
  const length = Array.isArray(list) ? list.length : list === null ? 0 : undefined;
  return isLosslessNumber(value) && Number(value.value) === length;
}

/** Whether a mismatch shows that two entries of a list belong to different resources. */
function isForOtherResource({ pointer = "", isDifferentId }: Mismatch, list: string): boolean {
  return isDifferentId === true && /^\/\d+\/(id|pk|sk|\w+Id)$/.test(pointer.slice(list.length));
}

const conflicts: Readonly<Record<BindingConflict, string>> = {
  sent: "the value that was sent on one side only",
  "both known": "repeated values that do not correspond",
  "first known": describeBothSides("a repeated value", "a new value"),
  "second known": describeBothSides("a new value", "a repeated value"),
};

/** Numbers that a service may count separately for each organization. */
const countedPerOrganization: ReadonlySet<string> = new Set(["invoiceNumber"]);

/** Matches fields with cursors, whose texts may differ for equal positions in a list. */
const isCursor = /^next(Cursor|PageToken)$/;

function getStem(text: string): string {
  return text.slice(0, Math.max(0, text.lastIndexOf("-")));
}

const maxShown = 200;

function formatValue(value: unknown): string | undefined {
  const text = value === undefined ? undefined : stringifyJson(value);
  return text !== undefined && text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

function areEqual(first: unknown, second: unknown): boolean {
  return toCanonicalJson(first) === toCanonicalJson(second);
}
