import type { AnswerOf, GapId } from "../../openapi/gaps/register.js";
import { accessObservers } from "./access.js";
import { batchObservers } from "./batches.js";
import { billingObservers } from "./billing.js";
import { databaseObservers } from "./databases.js";
import { httpObservers } from "./http.js";
import { itemObservers } from "./items.js";
import { organizationObservers } from "./organizations.js";
import type { Observer } from "./observer.js";

type Observers = { readonly [Id in GapId]: Observer<AnswerOf<Id>> };

/** An observer for every gap of the register: one without does not compile. */
export const observers = {
  ...httpObservers,
  ...accessObservers,
  ...databaseObservers,
  ...itemObservers,
  ...batchObservers,
  ...organizationObservers,
  ...billingObservers,
} as unknown as Observers;
