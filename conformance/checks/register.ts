import { areaOf, areas, type Check } from "../check.js";
import { healthChecks } from "./health.js";
import { sqlChecks } from "./sql.js";

/** All checks, in the order they are run: by area, as they are written within one. */
export const checks: readonly Check[] = [...healthChecks, ...sqlChecks].sort(
  (a, b) => areas.indexOf(areaOf(a)) - areas.indexOf(areaOf(b)),
);
