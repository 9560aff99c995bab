import { accessMutants } from "./access.js";
import { billingMutants, planMutants } from "./billing.js";
import { healthMutants } from "./health.js";
import type { Mutant, Variant } from "./mutant.js";
import { memberMutants, organizationMutants } from "./organizations.js";
import { sessionMutants } from "./session.js";

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [
  ...healthMutants,
  ...sessionMutants,
  ...planMutants,
  ...organizationMutants,
  ...memberMutants,
  ...billingMutants,
  ...accessMutants,
];

/** All variants. */
export const variants: readonly Variant[] = [];
