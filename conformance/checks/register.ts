import { getArea, areas, type Check } from "../check/check.js";
import { batchChecks } from "./batches.js";
import { concurrencyChecks } from "./concurrency.js";
import { healthChecks } from "./health.js";
import { memberChecks } from "./members.js";
import { organizationChecks } from "./organizations.js";
import { billingChecks } from "./billing.js";
import { planChecks } from "./plans.js";
import { accessChecks } from "./access/access.js";
import { planLimitChecks } from "./plan-limits.js";
import { databaseContentsChecks } from "./database-contents.js";
import { databaseChecks } from "./databases.js";
import { entityChecks } from "./entities.js";
import { entityQueryChecks } from "./entity-queries.js";
import { entitySchemaChecks } from "./entity-schemas.js";
import { isolationChecks } from "./isolation.js";
import { sessionChecks } from "./session.js";
import { sqlLevelChecks } from "./sql/levels.js";
import { sqlRowChecks } from "./sql/rows.js";
import { sqlStatementChecks } from "./sql/statements.js";
import { sqlTableChecks } from "./sql/tables.js";
import { sqlTypeChecks } from "./sql/values.js";
import { timeChecks } from "./time.js";
import { conditionalPutChecks } from "./items/conditional-puts.js";
import { itemSizeChecks } from "./items/item-sizes.js";
import { pageChecks } from "./items/pages.js";
import { queryChecks } from "./items/queries.js";
import { reusedNameChecks } from "./sequences/reused-names.js";
import { historyChecks } from "./sequences/histories.js";
import { organizationSequenceChecks } from "./sequences/organizations.js";
import { singleItemChecks } from "./items/single-items.js";
import { preconditionChecks } from "./preconditions.js";
import { repositoryChecks } from "./repositories.js";
import { transactionReadChecks } from "./transactions/reads.js";
import { transactionTokenChecks } from "./transactions/tokens.js";
import { transactionLimitChecks } from "./transactions/transaction-limits.js";
import { transactionWriteChecks } from "./transactions/writes.js";

/** All checks in the order in which they run: by area and, within an area, in the order of the source. */
export const checks: readonly Check[] = [
  ...databaseChecks,
  ...databaseContentsChecks,
  ...planLimitChecks,
  ...repositoryChecks,
  ...entityChecks,
  ...entitySchemaChecks,
  ...entityQueryChecks,
  ...preconditionChecks,
  ...healthChecks,
  ...sessionChecks,
  ...organizationChecks,
  ...memberChecks,
  ...planChecks,
  ...billingChecks,
  ...sqlTypeChecks,
  ...sqlStatementChecks,
  ...sqlTableChecks,
  ...sqlRowChecks,
  ...sqlLevelChecks,
  ...accessChecks,
  ...isolationChecks,
  ...timeChecks,
  ...singleItemChecks,
  ...conditionalPutChecks,
  ...queryChecks,
  ...pageChecks,
  ...itemSizeChecks,
  ...batchChecks,
  ...transactionReadChecks,
  ...transactionWriteChecks,
  ...transactionTokenChecks,
  ...transactionLimitChecks,
  ...concurrencyChecks,
  ...reusedNameChecks,
  ...organizationSequenceChecks,
  ...historyChecks,
].sort((a, b) => areas.indexOf(getArea(a)) - areas.indexOf(getArea(b)));
