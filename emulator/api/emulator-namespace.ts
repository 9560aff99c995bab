import type { Seed } from "../../fixtures/seed.js";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import { harMediaType, sqliteMediaType } from "../../openapi/control-plane/media-types.js";
import type { RequestBody } from "../../openapi/operations/operation-types.js";
import type { ControlResponseBody } from "../control/control-types.js";
import type { JournalFilter } from "../journal/journal.js";
import { toReceivedRequest } from "../journal/received-request.js";
import type { Har } from "../journal/to-har.js";
import type { ClockMode } from "../time/clock.js";
import { getFetchGlobals } from "./create-request.js";

type Json<Id extends ControlOperationId> = RequestBody<operations[Id]>;
/** A call to the control plane, without its operation. */
export interface TransportRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** A file, instead of a JSON body. */
  readonly file?: Uint8Array;
  /** The media type of the response, if it is a file. */
  readonly accept?: string;
}

/**
 * Calls the control plane: in-process, where calls return results, or over HTTP, where they return promises. `pick`
 * converts the file or the body of the response to the result.
 */
export interface Transport {
  readonly call: {
    <Picked>(
      id: ControlOperationId,
      request: TransportRequest & { readonly accept: string },
      pick: (file: Uint8Array) => Picked,
    ): Picked;
    <Id extends ControlOperationId, Picked = ControlResponseBody<Id>>(
      id: Id,
      request?: TransportRequest,
      pick?: (body: ControlResponseBody<Id>) => Picked,
    ): Picked;
  };
  /** Returns another namespace. */
  readonly namespace: (name: string) => EmulatorNamespace;
}

/** Converts query parameters to text, without those that are undefined. */
export function toQueryTexts(query: object): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** A namespace of an emulator: an isolated copy of the service. Its control plane offers the same functions, except `fetch`. */
export interface EmulatorNamespace extends NamespaceClient {
  /** Sends a request to the namespace in-process, without a port. Only the path and query of the URL matter. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Base URL of the namespace; undefined unless the emulator is listening. */
  readonly url: string | undefined;
  /** Returns the state as a SQLite file, for the option `data` or `snapshots.upload`. */
  readonly export: () => Uint8Array;
}

/** The functions that local and remote namespaces have in common. */
export type NamespaceClient = ReturnType<typeof createNamespaceClient>;
/** The namespaces of an emulator. */
export type NamespaceManager = ReturnType<typeof createNamespaceManager>;

/** @param name the name of the namespace, which its first call creates */
export function createNamespaceClient(name: string, { call, namespace }: Transport) {
  const inPath = (name: string) => ({ path: { name } });
  return {
    /** Name of the namespace. The namespace at the base URL is named `default`. */
    name,
    /** Creates a namespace with a copy of the data, clock, id generator and profile of this namespace. */
    fork: (to: string): EmulatorNamespace =>
      call("forkNamespace", { path: { name }, body: { to } }, () => namespace(to)),
    /** Returns the version, fixture, profile, clock, counts and seeded credentials. */
    state: () => call("getEmulator"),
    /**
     * Resets to the starting state or to a fixture: `demo`, `empty`, the fixture that the emulator started with, or data in
     * the form of a seed file.
     */
    reset: (fixture?: string | Seed) =>
      call("resetEmulator", { body: fixture === undefined ? {} : { fixture } }),
    clock: {
      get: () => call("getClock"),
      /** Moves the clock forward by a duration such as `90s`, `10m` or `7d`, or in ISO 8601, such as `PT10M` or `P1M`. */
      advance: (duration: string) => call("changeClock", { body: { advance: duration } }),
      set: (now: string) => call("changeClock", { body: { now } }),
      mode: (mode: ClockMode) => call("changeClock", { body: { mode } }),
      /** Makes several changes in one call, applied in this order: `mode`, `now`, `advance`. */
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
    /** Logs a user in without a password, by default to the personal organization. */
    sessions: { create: (session: Json<"createSession">) => call("createSession", { body: session }) },
    /** Logs a user in and returns an access token for an organization (default: the personal organization). */
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
      /** Completes the payment, at once or after some time on the clock of the namespace. */
      complete: (checkoutId: string, when: Json<"completeCheckout"> = {}) =>
        call("completeCheckout", { path: { checkoutId }, body: when }),
    },
    /** The URLs to which the checkout and portal pages return. */
    returnAddresses: {
      get: () => call("getReturnAddresses"),
      set: (addresses: Json<"setReturnAddresses">) => call("setReturnAddresses", { body: addresses }),
    },
    subscriptions: {
      get: (organizationId: string) => call("getSubscription", { path: { organizationId } }),
      /** Lists the charges of an organization, newest first. */
      orders: (organizationId: string) =>
        call("listOrders", { path: { organizationId } }, ({ orders }) => orders),
      change: (organizationId: string, change: Json<"changeSubscription">) =>
        call("changeSubscription", { path: { organizationId }, body: change }),
    },
    databases: {
      /** Lists the databases of all organizations. */
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
    /** The requests to the service and their responses, with credentials redacted. */
    journal: {
      entries: (filter?: JournalFilter) =>
        call("getJournal", { query: { format: "json", ...filter } }, ({ entries }) => entries),
      /** Returns the entries in a form for assertions: bodies are parsed, and paths have no query. */
      requests: (filter?: JournalFilter) =>
        call("getJournal", { query: { format: "json", ...filter } }, ({ entries }) =>
          entries.map(toReceivedRequest),
        ),
      /** Returns whether requests are recorded, and how many older requests are no longer kept. */
      status: (filter?: JournalFilter) =>
        call("getJournal", { query: { format: "json", ...filter, limit: 1 } }, ({ recording, dropped }) => ({
          recording,
          dropped,
        })),
      /** Returns the entries as an HTTP Archive 1.2. */
      har: (filter?: JournalFilter) =>
        call(
          "getJournal",
          { query: { format: "har", ...filter }, accept: harMediaType },
          (bytes) => JSON.parse(new (getFetchGlobals().TextDecoder)().decode(bytes)) as Har,
        ),
      clear: () => call("clearJournal"),
    },
    /** Returns the ids of the situations that requests to any namespace have covered. */
    coverage: () => call("getCoverage"),
    snapshots: {
      /** Saves the data, clock and id generator as a snapshot. By default, its name is generated. */
      save: (name?: string) =>
        name === undefined ? call("takeSnapshot") : call("saveSnapshot", inPath(name)),
      /** Returns to the snapshot with this name, without changing the profile. */
      restore: (name: string) => call("restoreSnapshot", inPath(name)),
      list: () => call("listSnapshots", {}, ({ snapshots }) => snapshots),
      get: (name: string) => call("getSnapshot", inPath(name)),
      /** Lists what was added, changed and removed since the snapshot, up to snapshot `to` (default: the current state). */
      compare: (name: string, to?: string) => call("compareSnapshot", { ...inPath(name), query: { to } }),
      delete: (name: string) => call("deleteSnapshot", inPath(name)),
      /** Creates a namespace from a snapshot. */
      fork: (name: string, to: string): EmulatorNamespace =>
        call("forkSnapshot", { ...inPath(name), body: { to } }, () => namespace(to)),
      /** Returns the snapshot as a SQLite file. */
      download: (name: string) =>
        call("getSnapshot", { ...inPath(name), accept: sqliteMediaType }, (bytes) => bytes),
      /** Saves a SQLite file as a snapshot. */
      upload: (name: string, given: Uint8Array) => call("uploadSnapshot", { ...inPath(name), file: given }),
    },
  };
}

export function createNamespaceManager({ call }: Pick<Transport, "call">) {
  return {
    /** Lists the namespaces, the default namespace first. */
    list: () => call("listNamespaces", {}, ({ namespaces }) => namespaces),
    /**
     * Creates a namespace if it does not exist. The emulator deletes it after `idleSeconds` seconds of real time without
     * a request, or never if `idleSeconds` is null.
     */
    set: (name: string, idle: { readonly idleSeconds: number | null }) =>
      call("setNamespace", { path: { name }, body: idle }),
    /** Deletes a namespace and its snapshots. Using the name again creates a new namespace. */
    delete: (name: string) => call("deleteNamespace", { path: { name } }),
  };
}
