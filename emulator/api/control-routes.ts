import type { ControlOperationId } from "../../openapi/control-plane/operations.js";

/**
 * Method and path of every operation of the control plane that a handle calls: what a client in another process needs
 * of the contract, which would be a hundred times its size. A test compares them with it.
 */
export const controlRoutes = {
  getEmulator: "GET /_emulator",
  resetEmulator: "POST /_emulator/reset",
  getClock: "GET /_emulator/clock",
  changeClock: "PATCH /_emulator/clock",
  getProfile: "GET /_emulator/profile",
  setProfile: "PUT /_emulator/profile",
  listUsers: "GET /_emulator/users",
  createSession: "POST /_emulator/sessions",
  createUser: "POST /_emulator/users",
  deleteUser: "DELETE /_emulator/users/{userId}",
  createApiKey: "POST /_emulator/api-keys",
  listApiKeys: "GET /_emulator/api-keys",
  deleteApiKey: "DELETE /_emulator/api-keys/{apiKeyId}",
  changeDatabase: "PATCH /_emulator/databases/{databaseId}",
  listOrganizations: "GET /_emulator/organizations",
  changeOrganization: "PATCH /_emulator/organizations/{organizationId}",
  acceptInvitation: "POST /_emulator/invitations/accept",
  getCheckout: "GET /_emulator/checkouts/{checkoutId}",
  getReturnAddresses: "GET /_emulator/return-addresses",
  setReturnAddresses: "PUT /_emulator/return-addresses",
  getSubscription: "GET /_emulator/subscriptions/{organizationId}",
  listOrders: "GET /_emulator/subscriptions/{organizationId}/orders",
  completeCheckout: "POST /_emulator/checkouts/{checkoutId}/complete",
  changeSubscription: "PATCH /_emulator/subscriptions/{organizationId}",
  setHealth: "PUT /_emulator/health",
  listNamespaces: "GET /_emulator/namespaces",
  setNamespace: "PUT /_emulator/namespaces/{name}",
  deleteNamespace: "DELETE /_emulator/namespaces/{name}",
  forkNamespace: "POST /_emulator/namespaces/{name}/fork",
  listSnapshots: "GET /_emulator/snapshots",
  takeSnapshot: "POST /_emulator/snapshots",
  saveSnapshot: "POST /_emulator/snapshots/{name}",
  getSnapshot: "GET /_emulator/snapshots/{name}",
  uploadSnapshot: "PUT /_emulator/snapshots/{name}",
  restoreSnapshot: "POST /_emulator/snapshots/{name}/restore",
  forkSnapshot: "POST /_emulator/snapshots/{name}/fork",
  deleteSnapshot: "DELETE /_emulator/snapshots/{name}",
  createFault: "POST /_emulator/faults",
  listFaults: "GET /_emulator/faults",
  clearFaults: "DELETE /_emulator/faults",
  getFault: "GET /_emulator/faults/{faultId}",
  deleteFault: "DELETE /_emulator/faults/{faultId}",
  getJournal: "GET /_emulator/journal",
  clearJournal: "DELETE /_emulator/journal",
} as const satisfies Partial<Record<ControlOperationId, string>>;

export type RoutedControlId = keyof typeof controlRoutes;
