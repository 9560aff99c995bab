import { healthMutants } from "./health.js";
import type { Mutant, Variant } from "./mutant.js";

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [...healthMutants];

/** All variants. */
export const variants: readonly Variant[] = [];
