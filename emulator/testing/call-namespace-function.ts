import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { InvalidControlCall } from "./invalid-control-calls.js";

/** A call in which no part is omitted. */
type WholeCall = Required<Pick<InvalidControlCall, "path" | "query">> & {
  readonly body: Readonly<Record<string, unknown>>;
};

type Arguments = (call: WholeCall) => readonly unknown[];

const inPath =
  (name: string): Arguments =>
  ({ path }) => [path[name]];
const withBody =
  (name: string): Arguments =>
  ({ path, body }) => [path[name], body];
const body: Arguments = (call) => [call.body];

/** The function of an emulator or a namespace for each operation, with its arguments. */
const functions: Readonly<Partial<Record<ControlOperationId, readonly [string, Arguments]>>> = {
  resetEmulator: ["reset", (call) => [call.body.fixture]],
  changeClock: ["clock.change", body],
  setProfile: ["profile.set", body],
  createUser: ["users.create", body],
  deleteUser: ["users.delete", inPath("userId")],
  createApiKey: ["apiKeys.create", body],
  deleteApiKey: ["apiKeys.delete", inPath("apiKeyId")],
  changeOrganization: ["organizations.change", withBody("organizationId")],
  changeDatabase: ["databases.change", withBody("databaseId")],
  acceptInvitation: ["invitations.accept", body],
  createSession: ["sessions.create", body],
  getCheckout: ["checkouts.get", inPath("checkoutId")],
  completeCheckout: ["checkouts.complete", withBody("checkoutId")],
  setReturnAddresses: ["returnAddresses.set", body],
  getSubscription: ["subscriptions.get", inPath("organizationId")],
  listOrders: ["subscriptions.orders", inPath("organizationId")],
  changeSubscription: ["subscriptions.change", withBody("organizationId")],
  setHealth: ["health.set", body],
  setNamespace: ["namespaces.set", withBody("name")],
  deleteNamespace: ["namespaces.delete", inPath("name")],
  // the namespace of the API object, because these calls name no other
  forkNamespace: ["fork", (call) => [call.body.to]],
  saveSnapshot: ["snapshots.save", inPath("name")],
  getSnapshot: ["snapshots.get", inPath("name")],
  compareSnapshot: ["snapshots.compare", (call) => [call.path.name, call.query.to]],
  restoreSnapshot: ["snapshots.restore", inPath("name")],
  forkSnapshot: ["snapshots.fork", (call) => [call.path.name, call.body.to]],
  deleteSnapshot: ["snapshots.delete", inPath("name")],
  createFault: ["faults.create", body],
  getFault: ["faults.get", inPath("faultId")],
  deleteFault: ["faults.delete", inPath("faultId")],
  getJournal: ["journal.entries", (call) => [call.query]],
};

/**
 * Calls the function for a control plane operation, without type checks: the function itself must reject invalid input.
 */
export function callNamespaceFunction(
  namespace: object,
  id: ControlOperationId,
  call: InvalidControlCall,
): unknown {
  const [name, argumentsOf] = functions[id] ?? [];
  if (name === undefined || argumentsOf === undefined) throw new Error(`no function is listed for ${id}`);
  const called = name
    .split(".")
    .reduce((at: unknown, part) => (at as Readonly<Record<string, unknown>>)[part], namespace);
  const whole = { path: {}, query: {}, ...call, body: (call.body ?? {}) as WholeCall["body"] };
  return (called as (...args: readonly unknown[]) => unknown)(...argumentsOf(whole));
}
