import type { operations } from "../../openapi/generated/control-plane-types.js";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { problemStatus } from "../../openapi/document/problem-responses.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { callControl } from "../control/call-control.js";
import { checkControlCall } from "../control/check-control-call.js";
import type { ControlAnswerOf, ControlRequestOf } from "../control/control-handler.js";
import type { Entry } from "../http/entry.js";
import { type FetchedRequest, fetchedRequest } from "../http/fetched-request.js";
import { Problem } from "../domain/problem.js";
import { signalOf, untilAborted } from "../http/until-aborted.js";
import type { Journal, JournalFilter } from "../journal/journal.js";
import { type Har, toHar } from "../journal/to-har.js";
import { filterOf } from "../control/journal.js";
import { sentForm } from "../control/sent-form.js";
import { defaultNamespace } from "../request/name.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import type { ClockMode } from "../time/clock.js";

type Json<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;
export type Result<Id extends ControlOperationId> = NonNullable<ControlAnswerOf<Id>["body"]>;

/** One namespace of an emulator: a world of its own. Everything here but `fetch` is also on its control plane. */
export interface EmulatorNamespace {
  /** `default` for the one at the base URL. */
  readonly name: string;
  /** Answers a request without a port. Paths count from the namespace; the host of the URL does not matter. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The base URL of the namespace, once the emulator listens. */
  readonly url: string | undefined;
  /** Version, fixture, profile, clock, counts and seeded credentials. */
  readonly state: () => Result<"getEmulator">;
  /** Back to the starting state, of another fixture if one is named: of the package, or the one of the option `fixture`. */
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
  /** Logs a user in without their password; the personal organization is meant where none is named. */
  readonly sessions: { readonly create: (session: Json<"createSession">) => Result<"createSession"> };
  /** An access token of a user for an organization, the personal one without a name: a login and a switch in one. */
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
    /** What the organization was charged with, newest first. */
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
  /** Requests to the service and their answers; credentials are redacted. */
  readonly journal: {
    readonly entries: (filter?: JournalFilter) => Result<"getJournal">["entries"];
    /** The same as an HTTP Archive 1.2. */
    readonly har: (filter?: JournalFilter) => Har;
    readonly clear: () => void;
  };
  /** Saves data, clock and ids under a name, or under one that is free. */
  readonly snapshot: (name?: string) => Result<"saveSnapshot">;
  /** Goes back to a snapshot of this name; the profile stays. */
  readonly restore: (name: string) => void;
  /** Makes a namespace with a copy of this one's data, clock, ids and profile. */
  readonly fork: (to: string) => EmulatorNamespace;
  readonly snapshots: {
    readonly list: () => Result<"listSnapshots">["snapshots"];
    readonly get: (name: string) => Result<"getSnapshot">;
    readonly delete: (name: string) => void;
    /** Makes a namespace that begins as a snapshot. */
    readonly fork: (name: string, to: string) => EmulatorNamespace;
    /** The snapshot as a SQLite file. */
    readonly download: (name: string) => Uint8Array;
    /** Keeps a SQLite file as a snapshot. */
    readonly upload: (name: string, file: Uint8Array) => Result<"uploadSnapshot">;
  };
  /** The state as a SQLite file, which the option `data` takes and `snapshots.upload` as well. */
  readonly export: () => Uint8Array;
}

/** What the namespaces of one emulator share. */
export interface EmulatorHost {
  /** @throws Error when the emulator is closed */
  readonly namespaces: () => Namespaces;
  readonly entry: Entry;
  /** The base URL, once listening. */
  readonly url: () => string | undefined;
}

export class LocalNamespace implements EmulatorNamespace {
  readonly name: string;
  readonly #host: EmulatorHost;
  /** What the paths of the namespace begin with. */
  readonly #prefix: string;

  /** @param name a valid one; the namespace is made at its first use */
  constructor(host: EmulatorHost, name: string) {
    this.name = name;
    this.#host = host;
    this.#prefix = name === defaultNamespace ? "" : `/ns/${name}`;
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.#host.namespaces();
    const signal = signalOf(input, init);
    signal?.throwIfAborted();
    return untilAborted(this.#host.entry.fetch(this.#requestOf(input, init)), signal);
  };

  get url(): string | undefined {
    const base = this.#host.url();
    return base === undefined ? undefined : base + this.#prefix;
  }

  readonly state = () => bodyOf(this.call("getEmulator", {}));

  readonly reset = (fixture?: string) => {
    this.call("resetEmulator", { body: fixture === undefined ? {} : { fixture } });
  };

  readonly clock: EmulatorNamespace["clock"] = {
    get: () => bodyOf(this.call("getClock", {})),
    advance: (advance) => bodyOf(this.call("changeClock", { body: { advance } })),
    set: (now) => bodyOf(this.call("changeClock", { body: { now } })),
    mode: (mode) => bodyOf(this.call("changeClock", { body: { mode } })),
    change: (body) => bodyOf(this.call("changeClock", { body })),
  };

  readonly profile: EmulatorNamespace["profile"] = {
    get: () => bodyOf(this.call("getProfile", {})),
    set: (profile) => bodyOf(this.call("setProfile", { body: profile })),
  };

  readonly users: EmulatorNamespace["users"] = {
    list: () => bodyOf(this.call("listUsers", {})).users,
    create: (body) => bodyOf(this.call("createUser", { body })),
    delete: (userId) => void this.call("deleteUser", { path: { userId } }),
  };

  readonly apiKeys: EmulatorNamespace["apiKeys"] = {
    create: (body) => bodyOf(this.call("createApiKey", { body })),
    list: () => bodyOf(this.call("listApiKeys", {})).apiKeys,
    delete: (apiKeyId) => void this.call("deleteApiKey", { path: { apiKeyId } }),
  };

  readonly sessions: EmulatorNamespace["sessions"] = {
    create: (body) => bodyOf(this.call("createSession", { body })),
  };

  readonly token: EmulatorNamespace["token"] = (body) =>
    bodyOf(this.call("createSession", { body })).accessToken;

  readonly organizations: EmulatorNamespace["organizations"] = {
    list: () => bodyOf(this.call("listOrganizations", {})).organizations,
    change: (organizationId, body) =>
      bodyOf(this.call("changeOrganization", { path: { organizationId }, body })),
  };

  readonly invitations: EmulatorNamespace["invitations"] = {
    accept: (body) => bodyOf(this.call("acceptInvitation", { body })),
  };

  readonly checkouts: EmulatorNamespace["checkouts"] = {
    get: (checkoutId) => bodyOf(this.call("getCheckout", { path: { checkoutId } })),
    complete: (checkoutId, body = {}) =>
      bodyOf(this.call("completeCheckout", { path: { checkoutId }, body })),
  };

  readonly returnAddresses: EmulatorNamespace["returnAddresses"] = {
    get: () => bodyOf(this.call("getReturnAddresses", {})),
    set: (body) => bodyOf(this.call("setReturnAddresses", { body })),
  };

  readonly subscriptions: EmulatorNamespace["subscriptions"] = {
    get: (organizationId) => bodyOf(this.call("getSubscription", { path: { organizationId } })),
    orders: (organizationId) => bodyOf(this.call("listOrders", { path: { organizationId } })).orders,
    change: (organizationId, body) =>
      bodyOf(this.call("changeSubscription", { path: { organizationId }, body })),
  };

  readonly databases: EmulatorNamespace["databases"] = {
    list: () => bodyOf(this.call("listAllDatabases", {})).databases,
    change: (databaseId, body) => bodyOf(this.call("changeDatabase", { path: { databaseId }, body })),
  };

  readonly health: EmulatorNamespace["health"] = { set: (body) => bodyOf(this.call("setHealth", { body })) };

  readonly faults: EmulatorNamespace["faults"] = {
    create: (body) => bodyOf(this.call("createFault", { body })),
    list: () => bodyOf(this.call("listFaults", {})).faults,
    get: (faultId) => bodyOf(this.call("getFault", { path: { faultId } })),
    delete: (faultId) => void this.call("deleteFault", { path: { faultId } }),
    clear: () => void this.call("clearFaults", {}),
  };

  readonly journal: EmulatorNamespace["journal"] = {
    entries: (filter) => this.#journal().entries(checkedFilter(filter)),
    har: (filter) => toHar(this.#journal().select(checkedFilter(filter))),
    clear: () => void this.call("clearJournal", {}),
  };

  readonly snapshot = (name?: string) =>
    name === undefined
      ? bodyOf(this.call("takeSnapshot", {}))
      : bodyOf(this.call("saveSnapshot", { path: { name } }));

  readonly restore = (name: string) => void this.call("restoreSnapshot", { path: { name } });

  readonly fork = (to: string) => {
    // the fork of a namespace that nobody has used yet
    this.#host.namespaces().get(this.name);
    this.call("forkNamespace", { path: { name: this.name }, body: { to } });
    return new LocalNamespace(this.#host, to);
  };

  readonly snapshots: EmulatorNamespace["snapshots"] = {
    list: () => bodyOf(this.call("listSnapshots", {})).snapshots,
    get: (name) => bodyOf(this.call("getSnapshot", { path: { name } })),
    delete: (name) => void this.call("deleteSnapshot", { path: { name } }),
    fork: (name, to) => {
      this.call("forkSnapshot", { path: { name }, body: { to } });
      return new LocalNamespace(this.#host, to);
    },
    download: (name) => {
      const { file } = this.call("getSnapshot", { path: { name } });
      if (file === undefined) throw new Error("a snapshot is a file as well");
      return file.bytes();
    },
    upload: (name, file) => bodyOf(this.call("uploadSnapshot", { path: { name }, file })),
  };

  readonly export = () => this.#host.namespaces().get(this.name).export();

  /** A client that was given the namespace's URL sends its prefix along; another one does not. */
  #requestOf(input: string | URL | Request, init: RequestInit | undefined): FetchedRequest {
    const prefix = this.#prefix;
    if (typeof input === "string" && input.startsWith("/"))
      return fetchedRequest(`http://localhost${hasPrefix(input, prefix) ? "" : prefix}${input}`, init);
    const isRequest = input instanceof Request;
    const text = isRequest ? input.url : String(input);
    const [, origin = "", path = "/"] = /^([a-z]+:\/\/[^/?#]*)(.*)$/is.exec(text) ?? [];
    if (hasPrefix(path, prefix)) return fetchedRequest(isRequest ? input : text, init);
    const url = `${origin}${prefix}${path}`;
    return fetchedRequest(isRequest ? new Request(url, input) : url, init);
  }

  #journal(): Journal {
    return this.#host.namespaces().get(this.name).journal;
  }

  /**
   * Calls an operation of the namespace's control plane, by the rules that hold over HTTP.
   *
   * @throws a problem, with the status that HTTP would answer
   */
  protected call<Id extends ControlOperationId>(
    id: Id,
    request: Partial<ControlRequestOf<Id>>,
  ): ControlAnswerOf<Id> {
    return told(() => {
      const given = { path: {}, query: {}, ...request };
      const body = sentForm(given.body ?? {});
      checkControlCall(id, { ...given, body });
      const whole = { ...given, body, json: undefined, bodyBytes: 0 };
      return callControl(
        id,
        whole as unknown as ControlRequestOf<Id>,
        this.#host.namespaces().get(this.name),
      );
    });
  }
}

/** Tells the caller what HTTP would be told, the status included. */
function told<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind, message, violations, headers } = error;
    throw new Problem(kind, message, { violations, headers, status: problemStatus(kind, defaultProfile) });
  }
}

/** A filter by the rules of `getJournal`. */
function checkedFilter(filter: JournalFilter = {}): JournalFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const query = Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
  told(() => checkControlCall("getJournal", { path: {}, query, body: undefined }));
  return filterOf(query);
}

function hasPrefix(path: string, prefix: string): boolean {
  return prefix === "" || path === prefix || path.startsWith(`${prefix}/`);
}

export function bodyOf<Body>(answer: { readonly body?: Body }): NonNullable<Body> {
  if (answer.body === undefined || answer.body === null) throw new Error("the answer has no body");
  return answer.body;
}
