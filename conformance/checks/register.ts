import { areaOf, areas, type Check } from "../check.js";
import { databaseCeilingChecks } from "./database-ceilings.js";
import { databaseContentsChecks } from "./database-contents.js";
import { databaseChecks } from "./databases.js";
import { healthChecks } from "./health.js";
import { sessionChecks } from "./session.js";

/** All checks, in the order they are run: by area, as they are written within one. */
export const checks: readonly Check[] = [
  ...databaseChecks,
  ...databaseContentsChecks,
  ...databaseCeilingChecks,
  ...healthChecks,
  ...sessionChecks,
].sort((a, b) => areas.indexOf(areaOf(a)) - areas.indexOf(areaOf(b)));
