import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Area } from "../check/check.js";
import type { Fetch } from "../client/exchange.js";
import type { Target } from "../target/target.js";
import { intercept, type Operations } from "./intercept.js";
import { type InterceptorFactory, tampers } from "./tampers.js";

/** A fault that makes the wrapped deployment break exactly one clause. */
export interface Mutant {
  /** `area/what-is-wrong`; the checks of the area must find it. */
  readonly id: `${Area}/${string}`;
  /** The broken clause, which the check that finds the fault must name. */
  readonly clause: ClauseId;
  /** Other areas whose checks may also find it. */
  readonly alsoIn?: readonly Area[];
  readonly wrap: (fetch: Fetch) => Fetch;
}

/** A difference that the specification permits: no check may fail. */
export interface Variant {
  /** `area/what-is-different`. */
  readonly id: `${Area | "everywhere"}/${string}`;
  /** Answers to gaps that differ from the default. */
  readonly profile?: Partial<Profile>;
  /** What the target file must say of the deployment. */
  readonly target?: Pick<Target, "readLagMs" | "countLagMs" | "invitationDomain">;
  readonly wrap?: (fetch: Fetch) => Fetch;
}

/** Declares mutants with the common tampers and those of an area. */
export function createMutantBuilder<Own extends Tampers>(own: Own) {
  return (
    id: Mutant["id"],
    clause: ClauseId,
    operations: Operations,
    alsoIn: readonly Area[] = [],
  ): Declaring<typeof tampers & Own, Mutant> =>
    declaring({ ...tampers, ...own }, (tamper) => ({
      id,
      clause,
      alsoIn,
      wrap: (fetch) => intercept(fetch, operations, tamper()),
    }));
}

/** Declares variants with the common tampers and those of an area. */
export function createVariantBuilder<Own extends Tampers>(own: Own) {
  return (
    id: Variant["id"],
    operations: Operations,
    declared: Pick<Variant, "profile" | "target"> = {},
  ): Declaring<typeof tampers & Own, Variant> =>
    declaring({ ...tampers, ...own }, (tamper) => ({
      id,
      wrap: (fetch) => intercept(fetch, operations, tamper()),
      ...declared,
    }));
}

/** Declares a mutant by what it does to operations: `mutant("items/…", "ITEM-28", lists).dropFields("count")`. */
export const mutant = createMutantBuilder({});

/** Declares a variant that changes the answers or requests of some operations. */
export const variant = createVariantBuilder({});

/** Declares the same variant in several areas. */
export function defineVariantInAreas(
  areas: readonly Area[],
  name: string,
  ...rest: Parameters<typeof variant> extends [unknown, ...infer Rest] ? Rest : never
): Declaring<typeof tampers, readonly Variant[]> {
  return declaring(tampers, (tamper) => areas.map((area) => variant(`${area}/${name}`, ...rest).by(tamper)));
}

/** Functions that create tampers. */
type Tampers = Readonly<Record<string, (...given: never) => InterceptorFactory>>;

/** The same functions, each declaring a mutant or variant with the tamper. */
type Declaring<Known extends Tampers, Declared> = {
  readonly [Name in keyof Known]: (...given: Parameters<Known[Name]>) => Declared;
};

/** Wraps each function that creates a tamper so that it declares a mutant or variant. */
function declaring<Known extends Tampers, Declared>(
  known: Known,
  declare: (tamper: InterceptorFactory) => Declared,
): Declaring<Known, Declared> {
  return Object.fromEntries(
    Object.entries(known).map(([name, make]) => [name, (...given: never) => declare(make(...given))]),
  ) as unknown as Declaring<Known, Declared>;
}
