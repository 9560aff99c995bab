import type { OperationId } from "../../openapi/operations/register.js";
import * as batches from "./batches.js";
import * as databases from "./databases.js";
import * as entities from "./entities.js";
import * as entityPages from "./entity-pages.js";
import type { Handler } from "./handler.js";
import * as health from "./health.js";
import * as itemPages from "./item-pages.js";
import * as items from "./items.js";
import * as members from "./members.js";
import * as organizations from "./organizations.js";
import * as payment from "./payment.js";
import * as plans from "./plans.js";
import * as repositories from "./repositories.js";
import * as session from "./session.js";
import * as sql from "./sql.js";
import * as transactions from "./transactions.js";

/** The handlers of all operations of the service. A missing handler is a type error. */
export const serviceHandlers: { readonly [Id in OperationId]: Handler<Id> } = {
  ...batches,
  ...databases,
  ...entities,
  ...entityPages,
  ...health,
  ...itemPages,
  ...items,
  ...members,
  ...organizations,
  ...payment,
  ...plans,
  ...repositories,
  ...session,
  ...sql,
  ...transactions,
};
