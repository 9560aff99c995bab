import { areaOf, areas, type Check } from "../check.js";
import { healthChecks } from "./health.js";
import { memberChecks } from "./members.js";
import { organizationChecks } from "./organizations.js";
import { billingChecks } from "./billing.js";
import { planChecks } from "./plans.js";
import { sessionChecks } from "./session.js";
import { timeChecks } from "./time.js";

/** All checks, in the order they are run: by area, as they are written within one. */
export const checks: readonly Check[] = [
  ...healthChecks,
  ...sessionChecks,
  ...organizationChecks,
  ...memberChecks,
  ...planChecks,
  ...billingChecks,
  ...timeChecks,
].sort((a, b) => areas.indexOf(areaOf(a)) - areas.indexOf(areaOf(b)));
