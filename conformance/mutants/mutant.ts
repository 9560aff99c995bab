import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Area } from "../check/check.js";
import type { Fetch } from "../client/exchange.js";
import type { Target } from "../target/target.js";
import { intercept, type Interceptor, type Operations } from "./intercept.js";
import { tampers } from "./tampers.js";

/** A fault that makes the wrapped deployment break exactly one clause. */
export interface Mutant {
  /** `area/what-is-wrong`; a check of the area or of the clause must find it. */
  readonly id: `${Area}/${string}`;
  /** The broken clause, which the check that finds the fault must name. */
  readonly clause: ClauseId;
  readonly wrap: (fetch: Fetch) => Fetch;
}

/** What the profile and the target file must say of a variant. */
interface Declaration {
  /** More areas that the difference affects. */
  readonly alsoIn?: readonly Area[];
  /** Answers to gaps that differ from the default. */
  readonly profile?: Partial<Profile>;
  readonly target?: Pick<Target, "readLagMs" | "countLagMs" | "invitationDomain">;
}

/** A difference that the specification permits: no check of its areas may fail. */
export interface Variant extends Declaration {
  /** `area/what-is-different`. */
  readonly id: `${Area | "everywhere"}/${string}`;
  readonly wrap?: (fetch: Fetch) => Fetch;
}

/** Functions that create interceptors. */
type Tampers = Readonly<Record<string, (...options: never) => Interceptor>>;

/** Returns the same functions, each of which completes a definition with its interceptor. */
function completeWith<Known extends Tampers, Definition>(
  known: Known,
  complete: (interceptor: Interceptor) => Definition,
) {
  return Object.fromEntries(
    Object.entries(known).map(([name, create]) => [
      name,
      (...options: never) => complete(create(...options)),
    ]),
  ) as unknown as { readonly [Name in keyof Known]: (...options: Parameters<Known[Name]>) => Definition };
}

/** Returns a function that starts the definition of a mutant; a tamper, common or one of `extraTampers`, completes it. */
export function createMutantBuilder<Extra extends Tampers>(extraTampers: Extra) {
  return (id: Mutant["id"], clause: ClauseId, operations: Operations) =>
    completeWith({ ...tampers, ...extraTampers }, (interceptor): Mutant => ({
      id,
      clause,
      wrap: (fetch) => intercept(fetch, operations, interceptor),
    }));
}

/** Returns a function that starts the definition of a variant; see {@link createMutantBuilder}. */
export function createVariantBuilder<Extra extends Tampers>(extraTampers: Extra) {
  return (id: Variant["id"], operations: Operations, declared: Declaration = {}) =>
    completeWith({ ...tampers, ...extraTampers }, (interceptor): Variant => ({
      ...declared,
      id,
      wrap: (fetch) => intercept(fetch, operations, interceptor),
    }));
}

/** Starts the definition of a mutant: `mutant("items/…", "ITEM-28", lists).dropFields("count")`. */
export const mutant = createMutantBuilder({});

/** Starts the definition of a variant that changes requests or responses of some operations. */
export const variant = createVariantBuilder({});
