import { authenticationStatements } from "./authentication.js";
import { batchStatements } from "./batches.js";
import { billingFieldStatements } from "./billing-fields.js";
import { billingStatements } from "./billing.js";
import { databaseStatements } from "./databases.js";
import { errorStatements } from "./errors.js";
import { generalStatements } from "./general.js";
import { healthStatements } from "./health.js";
import { itemStatements } from "./items.js";
import { limitStatements } from "./limits.js";
import { organizationFieldStatements } from "./organization-fields.js";
import { organizationStatements } from "./organizations.js";
import { repositoryStatements } from "./repositories.js";
import { resourceFieldStatements } from "./resource-fields.js";
import { sessionStatements } from "./session.js";
import { sqlFieldStatements } from "./sql-fields.js";
import { sqlStatements } from "./sql.js";
import { stateStatements } from "./states.js";
import type { Statement } from "./statement.js";

/** Everything that the specification says, in its order, with what the contract makes of it. */
export const statements: readonly Statement[] = [
  ...generalStatements,
  ...resourceFieldStatements,
  ...organizationFieldStatements,
  ...billingFieldStatements,
  ...sqlFieldStatements,
  ...stateStatements,
  ...sessionStatements,
  ...itemStatements,
  ...batchStatements,
  ...repositoryStatements,
  ...databaseStatements,
  ...organizationStatements,
  ...billingStatements,
  ...sqlStatements,
  ...healthStatements,
  ...authenticationStatements,
  ...errorStatements,
  ...limitStatements,
];
