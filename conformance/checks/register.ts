import { areaOf, areas, type Check } from "../check.js";
import { databaseCeilingChecks } from "./database-ceilings.js";
import { databaseContentsChecks } from "./database-contents.js";
import { databaseChecks } from "./databases.js";
import { entityChecks } from "./entities.js";
import { entityKeyChecks } from "./entity-keys.js";
import { entityQueryChecks } from "./entity-queries.js";
import { entitySchemaChecks } from "./entity-schemas.js";
import { entitySequenceChecks } from "./entity-sequences.js";
import { healthChecks } from "./health.js";
import { repositoryChecks } from "./repositories.js";
import { sessionChecks } from "./session.js";

/** All checks, in the order they are run: by area, as they are written within one. */
export const checks: readonly Check[] = [
  ...databaseChecks,
  ...databaseContentsChecks,
  ...databaseCeilingChecks,
  ...repositoryChecks,
  ...entityChecks,
  ...entitySchemaChecks,
  ...entityQueryChecks,
  ...entitySequenceChecks,
  ...entityKeyChecks,
  ...healthChecks,
  ...sessionChecks,
].sort((a, b) => areas.indexOf(areaOf(a)) - areas.indexOf(areaOf(b)));
