import { isDeepStrictEqual } from "node:util";
import { pointerTo } from "../../openapi/validation/json-pointer.js";
import { ExactNumber } from "./exact-number.js";
import type { Correspondence } from "./correspondence.js";
import { type Place, type Shape, typeOf, unknownPlace } from "./schema-of-answer.js";

/** A place in which two answers differ. */
export interface Mismatch {
  /** JSON pointer into the body, or `status`, or `header:` with a name. */
  readonly pointer: string;
  readonly detail: string;
  /** What stands there; nothing where nothing does. */
  readonly first?: string;
  readonly second?: string;
  /** Whether it may pass by itself. */
  readonly mayPass: boolean;
  /** Whether instants are in another order, which may be chance where they are close together. */
  readonly isAboutTime?: true;
}

/** What the comparison of two bodies goes by. */
export interface ComparisonContext {
  readonly correspondence: Correspondence;
  /** What the figures of the answer are about; nothing where they count from nothing. */
  readonly figuresOf: string | undefined;
  /** What the figures of an entry of a list are about. */
  readonly figuresOfEntry: (entry: unknown) => string | undefined;
  /** Whether an entry of a list belongs to the run. */
  readonly isOurs: (entry: unknown) => boolean;
  /** Since when what each side shows is of the run: instants before have no order. */
  readonly began: readonly [number, number];
  /** Whether the list may go on, so that what is missing here may come later. */
  readonly goesOn: boolean;
}

/** Compares two bodies as the contract says; numbers are {@link ExactNumber}s. */
export function compareBodies(
  first: unknown,
  second: unknown,
  place: Place,
  context: ComparisonContext,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  new BodyComparison(context, found).compare(first, second, place, "");
  return found;
}

/** Whether a value is what the contract wants there; of what is no text or number it says nothing. */
const hasForm: Readonly<Record<NonNullable<Shape["form"]>, (value: unknown) => boolean>> = {
  uri: (value) => typeof value !== "string" || /^[a-z][a-z0-9+.-]*:/i.test(value),
  integer: (value) => !(value instanceof ExactNumber) || Number.isInteger(Number(value.value)),
};

const formNames = { uri: "a whole URL", integer: "a whole number" } as const;

class BodyComparison {
  readonly #context: ComparisonContext;
  readonly #found: Mismatch[];

  constructor(context: ComparisonContext, found: Mismatch[]) {
    this.#context = context;
    this.#found = found;
  }

  compare(first: unknown, second: unknown, place: Place, pointer: string): void {
    const [shape, other] = [place(first), place(second)];
    if (typeOf(first) !== typeOf(second)) {
      this.#differ(
        pointer,
        `${typeOf(first)} on the first side, ${typeOf(second)} on the second`,
        first,
        second,
      );
      return;
    }
    const form = shape.form ?? other.form;
    if (form !== undefined && hasForm[form](first) !== hasForm[form](second)) {
      this.#differ(pointer, `${formNames[form]} on one side alone`, first, second);
      return;
    }
    if (shape.kind === "present") return;
    if (Array.isArray(first) && Array.isArray(second) && shape.kind !== "data")
      this.#compareLists(first, second, shape, pointer);
    else if (typeOf(first) === "object" && shape.kind !== "data")
      this.#compareMembers(first as object, second as object, [shape, other], pointer);
    else this.#compareValues(first, second, shape, pointer);
  }

  #compareMembers(
    first: object,
    second: object,
    [shape, other]: readonly [Shape, Shape],
    pointer: string,
  ): void {
    const [mine, theirs] = [first, second].map(
      (object) => new Map<string, unknown>(Object.entries(object)),
    ) as [Map<string, unknown>, Map<string, unknown>];
    for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
      const at = pointerTo(pointer, name);
      const [left, right] = [mine.get(name), theirs.get(name)];
      if (!mine.has(name)) this.#differ(at, "on the second side alone", undefined, right);
      else if (!theirs.has(name)) this.#differ(at, "on the first side alone", left, undefined);
      else
        this.compare(left, right, shape.members?.get(name) ?? other.members?.get(name) ?? unknownPlace, at);
    }
  }

  #compareValues(first: unknown, second: unknown, { kind }: Shape, pointer: string): void {
    const { correspondence, figuresOf } = this.#context;
    const member = pointer.slice(pointer.lastIndexOf("/") + 1);
    switch (kind) {
      case "opaque": {
        if (typeof first !== "string" || typeof second !== "string") break;
        const reason = correspondence.bind(first, second, member);
        if (reason !== undefined) this.#differ(pointer, reason, first, second);
        return;
      }
      case "suffixed": {
        if (first === second || typeof first !== "string" || typeof second !== "string") break;
        if (beforeHyphen(first) === "" || beforeHyphen(first) !== beforeHyphen(second)) break;
        const reason = correspondence.bind(first, second, member);
        if (reason !== undefined) this.#differ(pointer, reason, first, second);
        return;
      }
      case "time": {
        const [left, right] = [instantOf(first), instantOf(second)];
        if (left === undefined || right === undefined) {
          if (left !== right) this.#differ(pointer, "an instant on one side alone", first, second);
          return;
        }
        if (isUtc.test(String(first)) !== isUtc.test(String(second))) {
          this.#differ(pointer, "UTC on one side alone", first, second);
          return;
        }
        const { began } = this.#context;
        if (left < began[0] || right < began[1]) return;
        const reason = correspondence.order(left, right, pointer);
        if (reason !== undefined) this.#differ(pointer, reason, first, second, { isAboutTime: true });
        return;
      }
      case "lagging": {
        if (!(first instanceof ExactNumber) || !(second instanceof ExactNumber)) break;
        const about = figuresOf === undefined ? undefined : `${figuresOf} ${pointer}`;
        if (!correspondence.haveGrownAlike(Number(first.value), Number(second.value), about))
          this.#differ(
            pointer,
            about === undefined ? "other figures" : "figures that grow otherwise",
            first,
            second,
            { mayPass: true },
          );
        return;
      }
      case undefined:
        // a member that no contract names: that it is there on both sides is all there is to compare
        return;
      default:
    }
    if (!isSame(first, second, correspondence))
      this.#differ(pointer, "other values", first, second, { mayPass: kind === "lagging" });
  }

  #compareLists(first: readonly unknown[], second: readonly unknown[], shape: Shape, pointer: string): void {
    const { isOurs, goesOn } = this.#context;
    const items = shape.items ?? unknownPlace;
    if (shape.kind !== "unordered") {
      if (first.length !== second.length)
        this.#differ(
          pointer,
          `${first.length} entries on the first side, ${second.length} on the second`,
          first,
          second,
        );
      const common = Math.min(first.length, second.length);
      for (let index = 0; index < common; index++)
        this.compare(first[index], second[index], items, pointerTo(pointer, index));
      return;
    }
    const mine = first.filter((entry) => isOurs(entry));
    const theirs = second.filter((entry) => isOurs(entry));
    const areOurs = mine.length === first.length && theirs.length === second.length;
    if (goesOn && areOurs && first.length !== second.length) {
      this.#differ(
        pointer,
        `${first.length} entries on the page of the first side, ${second.length} on that of the second`,
        first,
        second,
      );
      return;
    }
    const unmatched = mine.filter((entry) => !this.#match(entry, theirs, items, pointer));
    if (unmatched.length === 0 && theirs.length === 0) return;
    // entries that are almost alike show what differs in them
    const pairs = Math.min(unmatched.length, theirs.length);
    if (goesOn) return;
    for (let index = 0; index < pairs; index++)
      this.#ofEntry(unmatched[index], this.#found).compare(
        unmatched[index],
        theirs[index],
        items,
        pointerTo(pointer, index),
      );
    if (unmatched.length !== theirs.length)
      this.#differ(
        pointer,
        `${mine.length} entries on the first side, ${theirs.length + mine.length - unmatched.length} on the second`,
        first,
        second,
      );
  }

  /** Looks for an entry of the other side that is the same, and takes it out. */
  #match(entry: unknown, others: unknown[], items: Place, pointer: string): boolean {
    const { correspondence } = this.#context;
    for (const [index, other] of others.entries()) {
      const mark = correspondence.mark();
      const found: Mismatch[] = [];
      this.#ofEntry(entry, found).compare(entry, other, items, pointerTo(pointer, index));
      if (found.length === 0) {
        others.splice(index, 1);
        return true;
      }
      correspondence.rollback(mark);
    }
    return false;
  }

  #ofEntry(entry: unknown, found: Mismatch[]): BodyComparison {
    const { figuresOfEntry } = this.#context;
    return new BodyComparison({ ...this.#context, figuresOf: figuresOfEntry(entry) }, found);
  }

  #differ(
    pointer: string,
    detail: string,
    first: unknown,
    second: unknown,
    more: Partial<Mismatch> = {},
  ): void {
    this.#found.push({
      pointer,
      detail,
      ...(first === undefined ? {} : { first: shown(first) }),
      ...(second === undefined ? {} : { second: shown(second) }),
      mayPass: false,
      ...more,
    });
  }
}

/** Whether two values are the same, where texts that stand for each other count as such. */
function isSame(first: unknown, second: unknown, correspondence: Correspondence): boolean {
  if (isDeepStrictEqual(first, second)) return true;
  if (typeof first === "string" && typeof second === "string") return correspondence.areBound(first, second);
  if (Array.isArray(first) && Array.isArray(second))
    return (
      first.length === second.length &&
      first.every((entry, index) => isSame(entry, second[index], correspondence))
    );
  if (typeOf(first) !== "object" || typeOf(second) !== "object") return false;
  const [mine, theirs] = [Object.entries(first as object), new Map(Object.entries(second as object))];
  return (
    mine.length === theirs.size &&
    mine.every(([name, value]) => theirs.has(name) && isSame(value, theirs.get(name), correspondence))
  );
}

function beforeHyphen(text: string): string {
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

const longestShown = 200;

function shown(value: unknown): string {
  const text = spelled(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** JSON with all digits of its numbers. */
function spelled(value: unknown): string {
  if (value instanceof ExactNumber) return digitsOf(value);
  if (Array.isArray(value)) return `[${value.map(spelled).join(",")}]`;
  if (typeOf(value) !== "object") return JSON.stringify(value);
  const members = Object.entries(value as object);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${spelled(member)}`).join(",")}}`;
}

/** A number as people write it, where that is not long. */
function digitsOf({ value }: ExactNumber): string {
  const [, sign = "", digits = "0", exponent = "0"] = /^(-?)(\d+)(?:e(-?\d+))?$/.exec(value) ?? [];
  const power = Number(exponent);
  if (power >= 0 && power <= mostZeros) return sign + digits + "0".repeat(power);
  if (power < 0 && -power <= mostZeros) {
    const whole = digits.padStart(1 - power, "0");
    return `${sign}${whole.slice(0, power)}.${whole.slice(power)}`;
  }
  return value;
}

const mostZeros = 24;
