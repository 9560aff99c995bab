import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { toReceivedRequest } from "../journal/received-request.js";
import type { Har } from "../journal/to-har.js";
import type { EmulatorNamespace, EmulatorNamespaces, Result } from "./emulator-namespace.js";

/** What a call of the control plane carries. */
export interface CallRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** A file in place of a JSON body. */
  readonly file?: Uint8Array;
}

/**
 * Makes calls of the control plane: in-process, which gives their results, or over HTTP, which gives promises of them. What
 * `pick` makes of the body, or of the file, is the result.
 */
export interface Transport {
  readonly call: <Id extends ControlOperationId, Picked = Result<Id>>(
    id: Id,
    request?: CallRequest,
    pick?: (body: Result<Id>) => Picked,
  ) => Picked;
  readonly file: <Picked>(
    id: ControlOperationId,
    request: CallRequest,
    pick: (bytes: Uint8Array) => Picked,
  ) => Picked;
  /** The handle on another namespace. */
  readonly namespace: (name: string) => EmulatorNamespace;
}

/** The calls that local and remote namespaces share. */
export type NamespaceCalls = Omit<EmulatorNamespace, "name" | "fetch" | "url" | "fork" | "export">;

export function createNamespaceCalls({ call, file, namespace }: Transport): NamespaceCalls {
  const path = (name: string) => ({ path: { name } });
  return {
    state: () => call("getEmulator"),
    reset: (fixture) => call("resetEmulator", { body: fixture === undefined ? {} : { fixture } }),
    clock: {
      get: () => call("getClock"),
      advance: (advance) => call("changeClock", { body: { advance } }),
      set: (now) => call("changeClock", { body: { now } }),
      mode: (mode) => call("changeClock", { body: { mode } }),
      change: (body) => call("changeClock", { body }),
    },
    profile: { get: () => call("getProfile"), set: (body) => call("setProfile", { body }) },
    users: {
      list: () => call("listUsers", {}, ({ users }) => users),
      create: (body) => call("createUser", { body }),
      delete: (userId) => call("deleteUser", { path: { userId } }),
    },
    apiKeys: {
      create: (body) => call("createApiKey", { body }),
      list: () => call("listApiKeys", {}, ({ apiKeys }) => apiKeys),
      delete: (apiKeyId) => call("deleteApiKey", { path: { apiKeyId } }),
    },
    sessions: { create: (body) => call("createSession", { body }) },
    token: (body) => call("createSession", { body }, ({ accessToken }) => accessToken),
    organizations: {
      list: () => call("listOrganizations", {}, ({ organizations }) => organizations),
      change: (organizationId, body) => call("changeOrganization", { path: { organizationId }, body }),
    },
    invitations: { accept: (body) => call("acceptInvitation", { body }) },
    checkouts: {
      get: (checkoutId) => call("getCheckout", { path: { checkoutId } }),
      complete: (checkoutId, body = {}) => call("completeCheckout", { path: { checkoutId }, body }),
    },
    returnAddresses: {
      get: () => call("getReturnAddresses"),
      set: (body) => call("setReturnAddresses", { body }),
    },
    subscriptions: {
      get: (organizationId) => call("getSubscription", { path: { organizationId } }),
      orders: (organizationId) => call("listOrders", { path: { organizationId } }, ({ orders }) => orders),
      change: (organizationId, body) => call("changeSubscription", { path: { organizationId }, body }),
    },
    databases: {
      list: () => call("listAllDatabases", {}, ({ databases }) => databases),
      change: (databaseId, body) => call("changeDatabase", { path: { databaseId }, body }),
    },
    health: { set: (body) => call("setHealth", { body }) },
    faults: {
      create: (body) => call("createFault", { body }),
      list: () => call("listFaults", {}, ({ faults }) => faults),
      get: (faultId) => call("getFault", { path: { faultId } }),
      delete: (faultId) => call("deleteFault", { path: { faultId } }),
      clear: () => call("clearFaults"),
    },
    journal: {
      entries: (filter) =>
        call("getJournal", { query: { format: "json", ...filter } }, ({ entries }) => entries),
      requests: (filter) =>
        call("getJournal", { query: { format: "json", ...filter } }, ({ entries }) =>
          entries.map(toReceivedRequest),
        ),
      har: (filter) =>
        file(
          "getJournal",
          { query: { format: "har", ...filter } },
          (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as Har,
        ),
      clear: () => call("clearJournal"),
    },
    coverage: () => call("getCoverage"),
    snapshot: (name) => (name === undefined ? call("takeSnapshot") : call("saveSnapshot", path(name))),
    restore: (name) => call("restoreSnapshot", path(name)),
    snapshots: {
      list: () => call("listSnapshots", {}, ({ snapshots }) => snapshots),
      get: (name) => call("getSnapshot", path(name)),
      compare: (name, to) => call("compareSnapshot", { ...path(name), query: { to } }),
      delete: (name) => call("deleteSnapshot", path(name)),
      fork: (name, to) => call("forkSnapshot", { ...path(name), body: { to } }, () => namespace(to)),
      download: (name) => file("getSnapshot", path(name), (bytes) => bytes),
      upload: (name, given) => call("uploadSnapshot", { ...path(name), file: given }),
    },
  };
}

export function createNamespacesCalls({ call }: Pick<Transport, "call">): EmulatorNamespaces {
  return {
    list: () => call("listNamespaces", {}, ({ namespaces }) => namespaces),
    set: (name, body) => call("setNamespace", { path: { name }, body }),
    delete: (name) => call("deleteNamespace", { path: { name } }),
  };
}
