import type { Server } from "node:http";
import type { SqlJsStatic } from "sql.js";
import { type FixtureName, fixtureNames, isFixtureName } from "../fixtures/register.js";
import type { operations } from "../openapi/generated/control-plane-types.js";
import type { ControlOperationId } from "../openapi/control-plane/operations.js";
import { completeProfile, type Profile } from "../openapi/profile.js";
import { callControl } from "./control/call-control.js";
import type { ControlAnswerOf, ControlRequestOf } from "./control/control-handler.js";
import { createEntry, type Entry } from "./http/entry.js";
import { signalOf, untilAborted } from "./http/until-aborted.js";
import { closeServer, listen } from "./http/listen.js";
import type { JournalFilter } from "./journal/journal.js";
import { type Har, toHar } from "./journal/to-har.js";
import { Namespace } from "./namespace.js";
import { loadSqlite } from "./store/sqlite.js";
import type { ClockMode } from "./time/clock.js";

/** How an emulator begins; every member has a default. */
export interface EmulatorOptions {
  /** The starting state: `demo` (default) or `empty`. */
  readonly fixture?: FixtureName;
  /** Answers to gaps; those left out are the default ones. */
  readonly profile?: Partial<Profile>;
  /** What ids and tokens follow from (default 1): the same seed gives the same ones. */
  readonly seed?: number;
  /** `manual` (default) starts at 2030-01-01 and ticks a millisecond a request; `system` is the machine's time. */
  readonly clock?: ClockMode;
  /** Whether requests and answers are recorded (default true). */
  readonly journal?: boolean;
}

/** Where to listen; the defaults are port 0, any free one, on the loopback interface. */
export interface ListenOptions {
  readonly port?: number;
  readonly host?: string;
}

type Json<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;
type Result<Id extends ControlOperationId> = NonNullable<ControlAnswerOf<Id>["body"]>;

/** A running emulator. Everything here but `fetch` and `listen` is also on the control plane. */
export interface Emulator {
  /** Answers a request without a port; the host of the URL does not matter. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** Listens on a port and returns the base URL. */
  readonly listen: (options?: ListenOptions) => Promise<string>;
  /** The base URL, once listening. */
  readonly url: string | undefined;
  /** Version, fixture, profile, clock, counts and seeded credentials. */
  readonly state: () => Result<"getEmulator">;
  /** Back to the starting state, of another fixture if one is named. */
  readonly reset: (fixture?: FixtureName) => void;
  readonly clock: {
    readonly get: () => Result<"getClock">;
    /** Moves ahead by an ISO 8601 duration such as `PT10M`. */
    readonly advance: (duration: string) => Result<"getClock">;
    readonly set: (now: string) => Result<"getClock">;
    readonly mode: (mode: ClockMode) => Result<"getClock">;
  };
  readonly profile: {
    readonly get: () => Result<"getProfile">;
    readonly set: (profile: Partial<Profile>) => Result<"setProfile">;
  };
  readonly users: {
    readonly create: (user: Json<"createUser">) => Result<"createUser">;
    readonly delete: (userId: string) => void;
  };
  readonly apiKeys: {
    readonly create: (key: Json<"createApiKey">) => Result<"createApiKey">;
    readonly list: () => Result<"listApiKeys">["apiKeys"];
    readonly delete: (apiKeyId: string) => void;
  };
  readonly organizations: {
    readonly change: (
      organizationId: string,
      change: Json<"changeOrganization">,
    ) => Result<"changeOrganization">;
  };
  readonly invitations: {
    readonly accept: (invitation: Json<"acceptInvitation">) => Result<"acceptInvitation">;
  };
  readonly checkouts: { readonly complete: (checkoutId: string) => Result<"completeCheckout"> };
  readonly subscriptions: {
    readonly change: (
      organizationId: string,
      change: Json<"changeSubscription">,
    ) => Result<"changeSubscription">;
  };
  readonly databases: {
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
  /** Stops listening and frees the memory. */
  readonly close: () => Promise<void>;
}

/** @throws Error for options that make no sense, with every mistake in the message */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return new LocalEmulator(await loadSqlite(), options);
}

class LocalEmulator implements Emulator {
  readonly #namespaces = new Map<string, Namespace>();
  readonly #entry: Entry;
  readonly #begin: (name: string) => Namespace;
  #server: Server | undefined;
  #url: string | undefined;

  constructor(sqlite: SqlJsStatic, options: EmulatorOptions) {
    const beginning = readOptions(options);
    this.#begin = (name) => new Namespace(name, sqlite, beginning);
    this.#entry = createEntry((name) => this.#namespace(name));
    this.#namespace("");
  }

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = typeof input === "string" && input.startsWith("/") ? `http://localhost${input}` : input;
    const signal = signalOf(input, init);
    signal?.throwIfAborted();
    return untilAborted(this.#entry.fetch(new Request(url, init)), signal);
  };

  readonly listen = async ({ port = 0, host = "127.0.0.1" }: ListenOptions = {}): Promise<string> => {
    if (this.#url !== undefined) return this.#url;
    const { server, url } = await listen(this.#entry, { port, host });
    this.#server = server;
    this.#url = url;
    return url;
  };

  get url(): string | undefined {
    return this.#url;
  }

  readonly state = () => bodyOf(this.#call("getEmulator", {}));

  readonly reset = (fixture?: FixtureName) => {
    this.#call("resetEmulator", { body: fixture === undefined ? {} : { fixture } });
  };

  readonly clock: Emulator["clock"] = {
    get: () => bodyOf(this.#call("getClock", {})),
    advance: (advance) => bodyOf(this.#call("changeClock", { body: { advance } })),
    set: (now) => bodyOf(this.#call("changeClock", { body: { now } })),
    mode: (mode) => bodyOf(this.#call("changeClock", { body: { mode } })),
  };

  readonly profile: Emulator["profile"] = {
    get: () => bodyOf(this.#call("getProfile", {})),
    set: (profile) => bodyOf(this.#call("setProfile", { body: { ...profile } })),
  };

  readonly users: Emulator["users"] = {
    create: (body) => bodyOf(this.#call("createUser", { body })),
    delete: (userId) => void this.#call("deleteUser", { path: { userId } }),
  };

  readonly apiKeys: Emulator["apiKeys"] = {
    create: (body) => bodyOf(this.#call("createApiKey", { body })),
    list: () => bodyOf(this.#call("listApiKeys", {})).apiKeys,
    delete: (apiKeyId) => void this.#call("deleteApiKey", { path: { apiKeyId } }),
  };

  readonly organizations: Emulator["organizations"] = {
    change: (organizationId, body) =>
      bodyOf(this.#call("changeOrganization", { path: { organizationId }, body })),
  };

  readonly invitations: Emulator["invitations"] = {
    accept: (body) => bodyOf(this.#call("acceptInvitation", { body })),
  };

  readonly checkouts: Emulator["checkouts"] = {
    complete: (checkoutId) => bodyOf(this.#call("completeCheckout", { path: { checkoutId } })),
  };

  readonly subscriptions: Emulator["subscriptions"] = {
    change: (organizationId, body) =>
      bodyOf(this.#call("changeSubscription", { path: { organizationId }, body })),
  };

  readonly databases: Emulator["databases"] = {
    change: (databaseId, body) => bodyOf(this.#call("changeDatabase", { path: { databaseId }, body })),
  };

  readonly health: Emulator["health"] = { set: (body) => bodyOf(this.#call("setHealth", { body })) };

  readonly faults: Emulator["faults"] = {
    create: (body) => bodyOf(this.#call("createFault", { body })),
    list: () => bodyOf(this.#call("listFaults", {})).faults,
    get: (faultId) => bodyOf(this.#call("getFault", { path: { faultId } })),
    delete: (faultId) => void this.#call("deleteFault", { path: { faultId } }),
    clear: () => void this.#call("clearFaults", {}),
  };

  readonly journal: Emulator["journal"] = {
    entries: (filter) => this.#namespace("").journal.entries(filter),
    har: (filter) => toHar(this.#namespace("").journal.select(filter)),
    clear: () => void this.#call("clearJournal", {}),
  };

  readonly close = async () => {
    // requests that a fault rule keeps waiting would keep the server open
    for (const { faults } of this.#namespaces.values()) faults.close();
    if (this.#server !== undefined) await closeServer(this.#server);
    this.#server = undefined;
    this.#url = undefined;
    for (const namespace of this.#namespaces.values()) namespace.close();
    this.#namespaces.clear();
  };

  /** The namespace of this name, made at its first use. */
  #namespace(name: string): Namespace {
    let namespace = this.#namespaces.get(name);
    if (namespace === undefined) {
      namespace = this.#begin(name);
      this.#namespaces.set(name, namespace);
    }
    return namespace;
  }

  #call<Id extends ControlOperationId>(id: Id, request: Partial<ControlRequestOf<Id>>): ControlAnswerOf<Id> {
    const whole = { path: {}, query: {}, body: undefined, json: undefined, ...request };
    return callControl(id, whole as ControlRequestOf<Id>, this.#namespace(""));
  }
}

function bodyOf<Body>(answer: { readonly body?: Body }): NonNullable<Body> {
  if (answer.body === undefined || answer.body === null) throw new Error("the answer has no body");
  return answer.body;
}

function readOptions({
  fixture = "demo",
  profile = {},
  seed = 1,
  clock = "manual",
  journal = true,
}: EmulatorOptions) {
  if (!isFixtureName(fixture))
    throw new Error(`there is no fixture named ${String(fixture)}; choose ${fixtureNames.join(" or ")}`);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error(`the seed must be a whole number from 0 on, not ${seed}`);
  const completed = completeProfile(profile);
  if ("mistakes" in completed)
    throw new Error(completed.mistakes.map(({ gap, detail }) => `profile: ${gap}: ${detail}`).join("\n"));
  return { fixture, profile: completed.profile, seed, clock, journal };
}
