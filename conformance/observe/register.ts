import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import { accessObservers } from "./access.js";
import { batchObservers } from "./batches.js";
import { billingObservers } from "./billing.js";
import { databaseObservers } from "./databases.js";
import { httpObservers } from "./http.js";
import { itemObservers } from "./items.js";
import type { GapObserver } from "./observer.js";
import { organizationObservers } from "./organizations.js";
import { repositoryObservers } from "./repositories.js";
import { sqlObservers } from "./sql.js";

type Observers = { readonly [Id in GapId]: GapObserver<AnswerTo<Id>> };

/** Observers for all gaps of the register; a missing observer is a compile-time error. */
export const observers: Observers = {
  ...httpObservers,
  ...accessObservers,
  ...databaseObservers,
  ...itemObservers,
  ...sqlObservers,
  ...batchObservers,
  ...repositoryObservers,
  ...organizationObservers,
  ...billingObservers,
};
