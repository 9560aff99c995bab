import { batchMutants } from "./batches.js";
import { accessMutants } from "./access.js";
import { billingMutants, planMutants } from "./billing.js";
import { databaseMutants } from "./databases.js";
import { everywhereVariants } from "./everywhere-variants.js";
import { frameworkVariants } from "./framework-variants.js";
import { gapVariants } from "./gap-variants.js";
import { identifierVariants } from "./identifier-variants.js";
import { literalVariants } from "./literal-variants.js";
import { lateVariants } from "./late-variants.js";
import { laggingVariants } from "./lagging-reads.js";
import { documentMutants } from "./document-mutants.js";
import { entityMutants } from "./entities.js";
import { entitySchemaMutants } from "./entity-schemas.js";
import { healthMutants } from "./health.js";
import { repositoryVariants } from "./repository-variants.js";
import { repositoryMutants } from "./repositories.js";
import { itemMutants } from "./items.js";
import { itemVariants } from "./item-variants.js";
import { orderVariants } from "./order-variants.js";
import type { Mutant, Variant } from "./mutant.js";
import { transactionMutants } from "./transactions.js";
import { memberMutants, organizationMutants } from "./organizations.js";
import { runVariants } from "./run-variants.js";
import { sequenceMutants } from "./sequences.js";
import { sessionMutants } from "./session.js";
import { sqlMutants, sqlVariants } from "./sql.js";
import { spellingVariants } from "./spelling-variants.js";
import { storeVariants } from "./store-variants.js";
import { unspokenVariants } from "./unspoken-variants.js";

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
  ...entitySchemaMutants,
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
  ...laggingVariants,
  ...itemVariants,
  ...orderVariants,
  ...repositoryVariants,
  ...sqlVariants,
  ...frameworkVariants,
  ...spellingVariants,
  ...storeVariants,
  ...lateVariants,
  ...literalVariants,
  ...identifierVariants,
  ...everywhereVariants,
  ...runVariants,
  ...unspokenVariants,
];
