import { batchMutants } from "./batches.js";
import { healthMutants } from "./health.js";
import { itemMutants } from "./items.js";
import type { Mutant, Variant } from "./mutant.js";
import { transactionMutants } from "./transactions.js";

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [
  ...healthMutants,
  ...itemMutants,
  ...batchMutants,
  ...transactionMutants,
];

/** All variants. */
export const variants: readonly Variant[] = [];
