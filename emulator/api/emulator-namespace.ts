import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { ControlBodyOf } from "../control/control-types.js";
import type { RequestBody } from "../handlers/typed-operation.js";
import type { JournalFilter } from "../journal/journal.js";
import { toReceivedRequest } from "../journal/received-request.js";
import type { Har } from "../journal/to-har.js";
import type { ClockMode } from "../time/clock.js";

type Json<Id extends ControlOperationId> = RequestBody<operations[Id]>;
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
  readonly call: <Id extends ControlOperationId, Picked = ControlBodyOf<Id>>(
    id: Id,
    request?: CallRequest,
    pick?: (body: ControlBodyOf<Id>) => Picked,
  ) => Picked;
  readonly file: <Picked>(
    id: ControlOperationId,
    request: CallRequest,
    pick: (bytes: Uint8Array) => Picked,
  ) => Picked;
  /** The handle on another namespace. */
  readonly namespace: (name: string) => EmulatorNamespace;
}

/** One namespace of an emulator: an isolated copy of the service. Everything here but `fetch` is also on its control plane. */
export interface EmulatorNamespace extends NamespaceCalls {
  /** `default` for the one at the base URL. */
  readonly name: string;
  /** Sends a request to the namespace, in-process without a port; only the path and query of the URL are used. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The base URL of the namespace, once the emulator listens. */
  readonly url: string | undefined;
  /** Creates a namespace with a copy of this one's data, clock, ids and profile. */
  readonly fork: (to: string) => EmulatorNamespace;
  /** The state as a SQLite file, for the option `data` or `snapshots.upload`. */
  readonly export: () => Uint8Array;
}

/** The calls that local and remote namespaces share. */
export type NamespaceCalls = ReturnType<typeof createNamespaceCalls>;
/** The namespaces of an emulator. */
export type EmulatorNamespaces = ReturnType<typeof createNamespacesCalls>;

export function createNamespaceCalls({ call, file, namespace }: Transport) {
  const inPath = (name: string) => ({ path: { name } });
  return {
    /** Version, fixture, profile, clock, counts and seeded credentials. */
    state: () => call("getEmulator"),
    /** Goes back to the starting state, or to that of a named fixture: one of the package, or the one of the option `fixture`. */
    reset: (fixture?: string) => call("resetEmulator", { body: fixture === undefined ? {} : { fixture } }),
    clock: {
      get: () => call("getClock"),
      /** Moves ahead by an ISO 8601 duration such as `PT10M`. */
      advance: (duration: string) => call("changeClock", { body: { advance: duration } }),
      set: (now: string) => call("changeClock", { body: { now } }),
      mode: (mode: ClockMode) => call("changeClock", { body: { mode } }),
      /** Several of these in one call: the mode first, then the time it is set to, then how far it moves ahead. */
      change: (change: Json<"changeClock">) => call("changeClock", { body: change }),
    },
    profile: {
      get: () => call("getProfile"),
      set: (profile: Partial<Profile>) => call("setProfile", { body: profile }),
    },
    users: {
      list: () => call("listUsers", {}, ({ users }) => users),
      create: (user: Json<"createUser">) => call("createUser", { body: user }),
      delete: (userId: string) => call("deleteUser", { path: { userId } }),
    },
    apiKeys: {
      create: (key: Json<"createApiKey">) => call("createApiKey", { body: key }),
      list: () => call("listApiKeys", {}, ({ apiKeys }) => apiKeys),
      delete: (apiKeyId: string) => call("deleteApiKey", { path: { apiKeyId } }),
    },
    /** Logs a user in without their password, by default for the personal organization. */
    sessions: { create: (session: Json<"createSession">) => call("createSession", { body: session }) },
    /** An access token of a user for an organization (default: the personal one): a login and a switch in one. */
    token: (whose: { readonly email: string; readonly organizationId?: string }) =>
      call("createSession", { body: whose }, ({ accessToken }) => accessToken),
    organizations: {
      list: () => call("listOrganizations", {}, ({ organizations }) => organizations),
      change: (organizationId: string, change: Json<"changeOrganization">) =>
        call("changeOrganization", { path: { organizationId }, body: change }),
    },
    invitations: {
      accept: (invitation: Json<"acceptInvitation">) => call("acceptInvitation", { body: invitation }),
    },
    checkouts: {
      get: (checkoutId: string) => call("getCheckout", { path: { checkoutId } }),
      /** What paying does, at once or after some time on the clock of the namespace. */
      complete: (checkoutId: string, when: Json<"completeCheckout"> = {}) =>
        call("completeCheckout", { path: { checkoutId }, body: when }),
    },
    /** Where the pages of checkout and portal lead back to. */
    returnAddresses: {
      get: () => call("getReturnAddresses"),
      set: (addresses: Json<"setReturnAddresses">) => call("setReturnAddresses", { body: addresses }),
    },
    subscriptions: {
      get: (organizationId: string) => call("getSubscription", { path: { organizationId } }),
      /** What the organization was charged, newest first. */
      orders: (organizationId: string) =>
        call("listOrders", { path: { organizationId } }, ({ orders }) => orders),
      change: (organizationId: string, change: Json<"changeSubscription">) =>
        call("changeSubscription", { path: { organizationId }, body: change }),
    },
    databases: {
      /** Those of all organizations. */
      list: () => call("listAllDatabases", {}, ({ databases }) => databases),
      change: (databaseId: string, change: Json<"changeDatabase">) =>
        call("changeDatabase", { path: { databaseId }, body: change }),
    },
    health: { set: (health: Json<"setHealth">) => call("setHealth", { body: health }) },
    /** Rules that make the service fail. */
    faults: {
      create: (rule: Json<"createFault">) => call("createFault", { body: rule }),
      list: () => call("listFaults", {}, ({ faults }) => faults),
      get: (faultId: string) => call("getFault", { path: { faultId } }),
      delete: (faultId: string) => call("deleteFault", { path: { faultId } }),
      clear: () => call("clearFaults"),
    },
    /** Requests to the service and their responses; credentials are redacted. */
    journal: {
      entries: (filter?: JournalFilter) =>
        call("getJournal", { query: { format: "json", ...filter } }, ({ entries }) => entries),
      /** The same for assertions: bodies are parsed, and the path is without its query. */
      requests: (filter?: JournalFilter) =>
        call("getJournal", { query: { format: "json", ...filter } }, ({ entries }) =>
          entries.map(toReceivedRequest),
        ),
      /** The same as an HTTP Archive 1.2. */
      har: (filter?: JournalFilter) =>
        file(
          "getJournal",
          { query: { format: "har", ...filter } },
          (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as Har,
        ),
      clear: () => call("clearJournal"),
    },
    /** The situations that requests to all namespaces have met, by their ids. */
    coverage: () => call("getCoverage"),
    /** Saves data, clock and ids under a name (default: a free one). */
    snapshot: (name?: string) =>
      name === undefined ? call("takeSnapshot") : call("saveSnapshot", inPath(name)),
    /** Goes back to the snapshot of this name; the profile stays. */
    restore: (name: string) => call("restoreSnapshot", inPath(name)),
    snapshots: {
      list: () => call("listSnapshots", {}, ({ snapshots }) => snapshots),
      get: (name: string) => call("getSnapshot", inPath(name)),
      /** What was added, changed and removed from one snapshot to another, or to the namespace as it is. */
      compare: (name: string, to?: string) => call("compareSnapshot", { ...inPath(name), query: { to } }),
      delete: (name: string) => call("deleteSnapshot", inPath(name)),
      /** Creates a namespace from a snapshot. */
      fork: (name: string, to: string): EmulatorNamespace =>
        call("forkSnapshot", { ...inPath(name), body: { to } }, () => namespace(to)),
      /** The snapshot as a SQLite file. */
      download: (name: string) => file("getSnapshot", inPath(name), (bytes) => bytes),
      /** Saves a SQLite file as a snapshot. */
      upload: (name: string, given: Uint8Array) => call("uploadSnapshot", { ...inPath(name), file: given }),
    },
  };
}

export function createNamespacesCalls({ call }: Pick<Transport, "call">) {
  return {
    /** All of them, the default one first. */
    list: () => call("listNamespaces", {}, ({ namespaces }) => namespaces),
    /**
     * Creates one, unless it exists, and sets after how many seconds without a request it is deleted, in the machine's
     * time; null for never.
     */
    set: (name: string, idle: { readonly idleSeconds: number | null }) =>
      call("setNamespace", { path: { name }, body: idle }),
    /** Deletes one with its snapshots; using its name again creates a new one. */
    delete: (name: string) => call("deleteNamespace", { path: { name } }),
  };
}
