import { batchMutants } from "./batches.js";
import { accessMutants } from "./access.js";
import { billingMutants, planMutants } from "./billing.js";
import { databaseMutants } from "./databases.js";
import { gapVariants } from "./gap-variants.js";
import { documentMutants } from "./document-mutants.js";
import { entityMutants } from "./entities.js";
import { healthMutants } from "./health.js";
import { repositoryMutants } from "./repositories.js";
import { itemMutants } from "./items.js";
import type { Mutant, Variant } from "./mutant.js";
import { transactionMutants } from "./transactions.js";
import { memberMutants, organizationMutants } from "./organizations.js";
import { sequenceMutants } from "./sequences.js";
import { sessionMutants } from "./session.js";
import { sqlMutants } from "./sql.js";
import { crossAreaVariants } from "./cross-area-variants.js";
import { laggingVariants } from "./lagging-variants.js";
import { itemVariants } from "./item-variants.js";
import { entityVariants } from "./entity-variants.js";
import { sqlVariants } from "./sql-variants.js";
import { sessionVariants } from "./session-variants.js";
import { managementVariants } from "./management-variants.js";

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [
  ...documentMutants,
  ...healthMutants,
  ...itemMutants,
  ...batchMutants,
  ...transactionMutants,
  ...sessionMutants,
  ...planMutants,
  ...databaseMutants,
  ...repositoryMutants,
  ...entityMutants,
  ...sqlMutants,
  ...organizationMutants,
  ...memberMutants,
  ...billingMutants,
  ...accessMutants,
  ...sequenceMutants,
];

/** All variants. */
export const variants: readonly Variant[] = [
  ...gapVariants,
  ...crossAreaVariants,
  ...laggingVariants,
  ...itemVariants,
  ...entityVariants,
  ...sqlVariants,
  ...sessionVariants,
  ...managementVariants,
];
