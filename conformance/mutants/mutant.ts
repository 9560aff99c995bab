import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Area } from "../check/check.js";
import type { Fetch } from "../client/exchange.js";
import type { Target } from "../target/target.js";
import { intercept, type Operations } from "./intercept.js";
import { type InterceptorFactory, tampers } from "./tampers.js";

/** A fault that makes the wrapped deployment break exactly one clause. */
export interface Mutant {
  /** `area/what-is-wrong`; a check of the area or of the clause must find it. */
  readonly id: `${Area}/${string}`;
  /** The broken clause, which the check that finds the fault must name. */
  readonly clause: ClauseId;
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

/** Returns a function that starts the definition of a mutant; a tamper, common or one of `extraTampers`, completes it. */
export function createMutantBuilder<Extra extends Tampers>(extraTampers: Extra) {
  return (id: Mutant["id"], clause: ClauseId, operations: Operations) =>
    completeWith({ ...tampers, ...extraTampers }, (tamper): Mutant => ({
      id,
      clause,
      wrap: (fetch) => intercept(fetch, operations, tamper()),
    }));
}

/** Returns a function that starts the definition of a variant; see {@link createMutantBuilder}. */
export function createVariantBuilder<Extra extends Tampers>(extraTampers: Extra) {
  return (id: Variant["id"], operations: Operations, declared: Pick<Variant, "profile" | "target"> = {}) =>
    completeWith({ ...tampers, ...extraTampers }, (tamper): Variant => ({
      id,
      wrap: (fetch) => intercept(fetch, operations, tamper()),
      ...declared,
    }));
}

/** Starts the definition of a mutant: `mutant("items/…", "ITEM-28", lists).dropFields("count")`. */
export const mutant = createMutantBuilder({});

/** Starts the definition of a variant that changes requests or responses of some operations. */
export const variant = createVariantBuilder({});

/** Starts the definition of the same variant in several areas. */
export function defineVariantInAreas(
  areas: readonly Area[],
  name: string,
  operations: Operations,
  declared?: Pick<Variant, "profile" | "target">,
) {
  return completeWith(tampers, (tamper): readonly Variant[] =>
    areas.map((area) => variant(`${area}/${name}`, operations, declared).by(tamper)),
  );
}

/** Functions that create tampers. */
type Tampers = Readonly<Record<string, (...options: never) => InterceptorFactory>>;

/** Returns the same functions, each of which completes a definition with its tamper. */
function completeWith<Known extends Tampers, Definition>(
  known: Known,
  complete: (tamper: InterceptorFactory) => Definition,
) {
  return Object.fromEntries(
    Object.entries(known).map(([name, create]) => [
      name,
      (...options: never) => complete(create(...options)),
    ]),
  ) as unknown as { readonly [Name in keyof Known]: (...options: Parameters<Known[Name]>) => Definition };
}
