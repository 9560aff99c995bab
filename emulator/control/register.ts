import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { createApiKey, deleteApiKey, listApiKeys } from "./api-keys.js";
import {
  changeSubscription,
  completeCheckout,
  getCheckout,
  getReturnAddresses,
  getSubscription,
  listOrders,
  setReturnAddresses,
} from "./billing.js";
import type { ControlHandler } from "./control-handler.js";
import { changeDatabase, listAllDatabases } from "./databases.js";
import { getControlPlaneDocument } from "./document.js";
import { clearFaults, createFault, deleteFault, getFault, listFaults } from "./faults.js";
import { clearJournal, getJournal } from "./journal.js";
import { acceptInvitation } from "./members.js";
import { deleteNamespace, forkNamespace, listNamespaces, setNamespace } from "./namespaces.js";
import { changeOrganization, listOrganizations } from "./organizations.js";
import {
  deleteSnapshot,
  forkSnapshot,
  getSnapshot,
  listSnapshots,
  restoreSnapshot,
  saveSnapshot,
  takeSnapshot,
  uploadSnapshot,
} from "./snapshots.js";
import {
  changeClock,
  getClock,
  getEmulator,
  getProfile,
  resetEmulator,
  setHealth,
  setProfile,
} from "./state.js";
import { createSession } from "./sessions.js";
import { createUser, deleteUser, listUsers } from "./users.js";

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
  listAllDatabases,
  changeOrganization,
  acceptInvitation,
  getCheckout,
  completeCheckout,
  getSubscription,
  listOrders,
  changeSubscription,
  getReturnAddresses,
  setReturnAddresses,
  listUsers,
  listOrganizations,
  createSession,
  setHealth,
  listNamespaces,
  setNamespace,
  deleteNamespace,
  forkNamespace,
  listSnapshots,
  takeSnapshot,
  saveSnapshot,
  getSnapshot,
  uploadSnapshot,
  restoreSnapshot,
  forkSnapshot,
  deleteSnapshot,
  createFault,
  listFaults,
  clearFaults,
  getFault,
  deleteFault,
  getJournal,
  clearJournal,
  getControlPlaneDocument,
} satisfies { readonly [Id in ControlOperationId]: ControlHandler<Id> };
