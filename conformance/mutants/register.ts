import { healthMutants } from "./health.js";
import type { Mutant, Variant } from "./mutant.js";
import { sqlMutants, sqlVariants } from "./sql.js";

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [...healthMutants, ...sqlMutants];

/** All variants. */
export const variants: readonly Variant[] = [...sqlVariants];
