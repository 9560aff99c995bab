import { databaseMutants } from "./databases.js";
import { entityMutants } from "./entities.js";
import { entitySchemaMutants } from "./entity-schemas.js";
import { healthMutants } from "./health.js";
import { repositoryVariants } from "./repository-variants.js";
import { repositoryMutants } from "./repositories.js";
import type { Mutant, Variant } from "./mutant.js";

/** All mutants, by area. */
export const mutants: readonly Mutant[] = [
  ...healthMutants,
  ...databaseMutants,
  ...repositoryMutants,
  ...entityMutants,
  ...entitySchemaMutants,
];

/** All variants. */
export const variants: readonly Variant[] = [...repositoryVariants];
