import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Area } from "../check/check.js";
import type { Fetch } from "../client/exchange.js";
import { intercept } from "./intercept.js";
import { type TamperFactory, tampers } from "./tampers.js";

/** A fault that breaks exactly one clause of whatever deployment stands behind it. */
export interface Mutant {
  /** `area/what-is-wrong`; the area's checks have to find it. */
  readonly id: `${Area}/${string}`;
  /** The clause that is broken, and that has to be named by the check that finds it. */
  readonly clause: ClauseId;
  /** Areas beside its own whose checks may find it. */
  readonly alsoIn?: readonly Area[];
  readonly wrap: (fetch: Fetch) => Fetch;
}

/** A harmless difference that a conforming deployment may show: no check may fail. */
export interface Variant {
  /** `area/what-is-different`. */
  readonly id: `${Area | "everywhere"}/${string}`;
  /** Answers to gaps other than the default ones. */
  readonly profile?: Partial<Profile>;
  /** What the target file declares of reads that lag. */
  readonly readLagMs?: number;
  /** What the target file declares of figures that lag. */
  readonly countLagMs?: number;
  /** The domain that the target file names for addresses. */
  readonly invitationDomain?: string;
  readonly wrap?: (fetch: Fetch) => Fetch;
}

/** Declares mutants with the tampers that are known everywhere, and some of an area's own. */
export function createMutantBuilder<Own extends Tampers>(own: Own) {
  return (
    id: Mutant["id"],
    clause: ClauseId,
    operations: readonly OperationId[],
    alsoIn: readonly Area[] = [],
  ): Declaring<typeof tampers & Own, Mutant> =>
    declaring({ ...tampers, ...own }, (tamper) => ({
      id,
      clause,
      alsoIn,
      wrap: (fetch) => intercept(fetch, operations, tamper()),
    }));
}

/** Declares variants in the same way. */
export function createVariantBuilder<Own extends Tampers>(own: Own) {
  return (
    id: Variant["id"],
    operations: readonly OperationId[],
    declared: Pick<Variant, "profile" | "readLagMs" | "countLagMs" | "invitationDomain"> = {},
  ): Declaring<typeof tampers & Own, Variant> =>
    declaring({ ...tampers, ...own }, (tamper) => ({
      id,
      wrap: (fetch) => intercept(fetch, operations, tamper()),
      ...declared,
    }));
}

/** Declares a mutant by what it does to operations: `mutant("items/…", "ITEM-28", lists).dropFields("count")`. */
export const mutant = createMutantBuilder({});

/** Declares a variant that changes what some operations answer, or how they are asked. */
export const variant = createVariantBuilder({});

/** Declares the same variant in several areas. */
export function defineVariantInAreas(
  areas: readonly Area[],
  name: string,
  ...rest: Parameters<typeof variant> extends [unknown, ...infer Rest] ? Rest : never
): Declaring<typeof tampers, readonly Variant[]> {
  return declaring(tampers, (tamper) => areas.map((area) => variant(`${area}/${name}`, ...rest).by(tamper)));
}

/** Functions that make tampers. */
type Tampers = Readonly<Record<string, (...given: never) => TamperFactory>>;

/** The same functions, declaring something that tampers. */
type Declaring<Known extends Tampers, Declared> = {
  readonly [Name in keyof Known]: (...given: Parameters<Known[Name]>) => Declared;
};

/** Declares something with each of the functions that make tampers. */
function declaring<Known extends Tampers, Declared>(
  known: Known,
  declare: (tamper: TamperFactory) => Declared,
): Declaring<Known, Declared> {
  return Object.fromEntries(
    Object.entries(known).map(([name, make]) => [name, (...given: never) => declare(make(...given))]),
  ) as unknown as Declaring<Known, Declared>;
}
