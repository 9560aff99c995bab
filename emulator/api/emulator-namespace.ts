import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { ControlBodyOf } from "../control/control-types.js";
import type { JournalFilter } from "../journal/journal.js";
import type { ReceivedRequest } from "../journal/received-request.js";
import type { Har } from "../journal/to-har.js";
import type { ClockMode } from "../time/clock.js";

type Json<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;
export type Result<Id extends ControlOperationId> = NonNullable<ControlBodyOf<Id>>;

/** One namespace of an emulator: an isolated copy of the service. Everything here but `fetch` is also on its control plane. */
export interface EmulatorNamespace {
  /** `default` for the one at the base URL. */
  readonly name: string;
  /** Sends a request to the namespace, in-process without a port; only the path and query of the URL are used. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The base URL of the namespace, once the emulator listens. */
  readonly url: string | undefined;
  /** Version, fixture, profile, clock, counts and seeded credentials. */
  readonly state: () => Result<"getEmulator">;
  /** Goes back to the starting state, or to that of a named fixture: one of the package, or the one of the option `fixture`. */
  readonly reset: (fixture?: string) => void;
  readonly clock: {
    readonly get: () => Result<"getClock">;
    /** Moves ahead by an ISO 8601 duration such as `PT10M`. */
    readonly advance: (duration: string) => Result<"getClock">;
    readonly set: (now: string) => Result<"getClock">;
    readonly mode: (mode: ClockMode) => Result<"getClock">;
    /** Several of these in one call: the mode first, then the time it is set to, then how far it moves ahead. */
    readonly change: (change: Json<"changeClock">) => Result<"getClock">;
  };
  readonly profile: {
    readonly get: () => Result<"getProfile">;
    readonly set: (profile: Partial<Profile>) => Result<"setProfile">;
  };
  readonly users: {
    readonly list: () => Result<"listUsers">["users"];
    readonly create: (user: Json<"createUser">) => Result<"createUser">;
    readonly delete: (userId: string) => void;
  };
  readonly apiKeys: {
    readonly create: (key: Json<"createApiKey">) => Result<"createApiKey">;
    readonly list: () => Result<"listApiKeys">["apiKeys"];
    readonly delete: (apiKeyId: string) => void;
  };
  /** Logs a user in without their password, by default for the personal organization. */
  readonly sessions: { readonly create: (session: Json<"createSession">) => Result<"createSession"> };
  /** An access token of a user for an organization (default: the personal one): a login and a switch in one. */
  readonly token: (whose: { readonly email: string; readonly organizationId?: string }) => string;
  readonly organizations: {
    readonly list: () => Result<"listOrganizations">["organizations"];
    readonly change: (
      organizationId: string,
      change: Json<"changeOrganization">,
    ) => Result<"changeOrganization">;
  };
  readonly invitations: {
    readonly accept: (invitation: Json<"acceptInvitation">) => Result<"acceptInvitation">;
  };
  readonly checkouts: {
    readonly get: (checkoutId: string) => Result<"getCheckout">;
    /** What paying does, at once or after some time on the clock of the namespace. */
    readonly complete: (checkoutId: string, when?: Json<"completeCheckout">) => Result<"completeCheckout">;
  };
  /** Where the pages of checkout and portal lead back to. */
  readonly returnAddresses: {
    readonly get: () => Result<"getReturnAddresses">;
    readonly set: (addresses: Json<"setReturnAddresses">) => Result<"setReturnAddresses">;
  };
  readonly subscriptions: {
    readonly get: (organizationId: string) => Result<"getSubscription">;
    /** What the organization was charged, newest first. */
    readonly orders: (organizationId: string) => Result<"listOrders">["orders"];
    readonly change: (
      organizationId: string,
      change: Json<"changeSubscription">,
    ) => Result<"changeSubscription">;
  };
  readonly databases: {
    /** Those of all organizations. */
    readonly list: () => Result<"listAllDatabases">["databases"];
    readonly change: (databaseId: string, change: Json<"changeDatabase">) => Result<"changeDatabase">;
  };
  readonly health: { readonly set: (health: Json<"setHealth">) => Result<"setHealth"> };
  /** Rules that make the service fail. */
  readonly faults: {
    readonly create: (rule: Json<"createFault">) => Result<"createFault">;
    readonly list: () => Result<"listFaults">["faults"];
    readonly get: (faultId: string) => Result<"getFault">;
    readonly delete: (faultId: string) => void;
    readonly clear: () => void;
  };
  /** Requests to the service and their responses; credentials are redacted. */
  readonly journal: {
    readonly entries: (filter?: JournalFilter) => Result<"getJournal">["entries"];
    /** The same for assertions: bodies are parsed, and the path is without its query. */
    readonly requests: (filter?: JournalFilter) => readonly ReceivedRequest[];
    /** The same as an HTTP Archive 1.2. */
    readonly har: (filter?: JournalFilter) => Har;
    readonly clear: () => void;
  };
  /** The situations that requests to all namespaces have met, by their ids. */
  readonly coverage: () => Result<"getCoverage">;
  /** Saves data, clock and ids under a name (default: a free one). */
  readonly snapshot: (name?: string) => Result<"saveSnapshot">;
  /** Goes back to the snapshot of this name; the profile stays. */
  readonly restore: (name: string) => void;
  /** Creates a namespace with a copy of this one's data, clock, ids and profile. */
  readonly fork: (to: string) => EmulatorNamespace;
  readonly snapshots: {
    readonly list: () => Result<"listSnapshots">["snapshots"];
    readonly get: (name: string) => Result<"getSnapshot">;
    /** What was added, changed and removed from one snapshot to another, or to the namespace as it is. */
    readonly compare: (name: string, to?: string) => Result<"compareSnapshot">;
    readonly delete: (name: string) => void;
    /** Creates a namespace from a snapshot. */
    readonly fork: (name: string, to: string) => EmulatorNamespace;
    /** The snapshot as a SQLite file. */
    readonly download: (name: string) => Uint8Array;
    /** Saves a SQLite file as a snapshot. */
    readonly upload: (name: string, file: Uint8Array) => Result<"uploadSnapshot">;
  };
  /** The state as a SQLite file, for the option `data` or `snapshots.upload`. */
  readonly export: () => Uint8Array;
}

/** The namespaces of an emulator. */
export interface EmulatorNamespaces {
  /** All of them, the default one first. */
  readonly list: () => Result<"listNamespaces">["namespaces"];
  /**
   * Creates one, unless it exists, and sets after how many seconds without a request it is deleted, in the machine's
   * time; null for never.
   */
  readonly set: (name: string, idle: { readonly idleSeconds: number | null }) => Result<"setNamespace">;
  /** Deletes one with its snapshots; using its name again creates a new one. */
  readonly delete: (name: string) => void;
}
