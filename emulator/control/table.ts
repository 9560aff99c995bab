import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { createApiKey, deleteApiKey, listApiKeys } from "./api-keys.js";
import type { ControlHandler } from "./control-handler.js";
import { changeDatabase } from "./databases.js";
import { changeOrganization } from "./organizations.js";
import {
  changeClock,
  getClock,
  getEmulator,
  getProfile,
  resetEmulator,
  setHealth,
  setProfile,
} from "./state.js";
import { createUser, deleteUser } from "./users.js";

/** The handler of every operation of the control plane; one that is missing does not compile. */
export const controlHandlers = {
  getEmulator,
  resetEmulator,
  getClock,
  changeClock,
  getProfile,
  setProfile,
  createUser,
  deleteUser,
  createApiKey,
  listApiKeys,
  deleteApiKey,
  changeDatabase,
  changeOrganization,
  setHealth,
} satisfies { readonly [Id in ControlOperationId]: ControlHandler<Id> };
