import type { JournalFilter } from "../journal/journal.js";
import type { Emulator } from "./emulator.js";
import { callControlPlane, type ControlCallOptions } from "./control-client.js";
import type { RoutedControlId } from "./control-routes.js";
import type { EmulatorNamespace } from "./local-namespace.js";

/** The functions of a handle, answered later. */
type Later<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result extends EmulatorNamespace ? RemoteNamespace : Awaited<Result>>
    : Members[Name] extends object
      ? Later<Members[Name]>
      : Members[Name];
};

/** A namespace of an emulator in another process: the functions of {@link EmulatorNamespace}, each with a promise. */
export interface RemoteNamespace extends Later<Omit<EmulatorNamespace, "url">> {
  /** The base URL of the namespace. */
  readonly url: string;
}

/** An emulator in another process: the namespace that the URL is of, and a way to the others. */
export interface RemoteEmulator extends RemoteNamespace {
  /** Another namespace, made at its first use. */
  readonly namespace: (name: string) => RemoteNamespace;
  readonly namespaces: Later<Emulator["namespaces"]>;
}

export interface ConnectOptions {
  /** How long to wait for an emulator that is about to start, in milliseconds (default 0). */
  readonly waitMs?: number;
}

const lookEveryMs = 50;

/**
 * A handle on an emulator in another process, over its control plane.
 *
 * @param url its base URL, or that of one of its namespaces (`…/ns/name`); `DATA_SERVICE_URL` unless it is given
 * @throws Error when no emulator answers there
 */
export async function connectEmulator(
  url: string | URL | undefined = process.env.DATA_SERVICE_URL,
  { waitMs = 0 }: ConnectOptions = {},
): Promise<RemoteEmulator> {
  if (url === undefined || url === "")
    throw new Error("connectEmulator() needs the URL of an emulator, as argument or as DATA_SERVICE_URL");
  if (!URL.canParse(String(url))) throw new Error(`${String(url)} is no URL; one is http://127.0.0.1:4100`);
  const { origin, pathname } = new URL(url);
  const base = origin + pathname.replace(/\/+$/, "");
  const until = Date.now() + waitMs;
  for (;;)
    try {
      const { namespace } = (await (await callControlPlane(base, "getEmulator")).json()) as {
        namespace: string;
      };
      return remoteEmulator(base, namespace);
    } catch (error) {
      if (Date.now() >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
}

function remoteEmulator(base: string, name: string): RemoteEmulator {
  const root = base.replace(/\/ns\/[^/]+$/, "");
  const json = jsonCalls(root);
  const none = emptyCalls(root);
  const namespace = (other: string) =>
    remoteNamespace(other === "default" ? root : `${root}/ns/${encodeURIComponent(other)}`, root, other);
  return {
    ...remoteNamespace(base, root, name),
    namespace,
    namespaces: {
      list: async () => (await json<{ namespaces: never }>("listNamespaces")).namespaces,
      set: (other, body) => json("setNamespace", { path: { name: other }, body }),
      delete: (other) => none("deleteNamespace", { path: { name: other } }),
    },
  };
}

/** @param root the base URL of the whole emulator */
function remoteNamespace(base: string, root: string, name: string): RemoteNamespace {
  const json = jsonCalls(base);
  const none = emptyCalls(base);
  const download = async (snapshot: string) => {
    const accept = "application/vnd.sqlite3";
    const answer = await callControlPlane(base, "getSnapshot", { path: { name: snapshot }, accept });
    return new Uint8Array(await answer.arrayBuffer());
  };
  const forked = async (id: RoutedControlId, path: Readonly<Record<string, string>>, to: string) => {
    await none(id, { path, body: { to } });
    return remoteNamespace(`${root}/ns/${to}`, root, to);
  };
  const journal = (filter: JournalFilter | undefined, format: string) => ({ query: { format, ...filter } });
  return {
    name,
    url: base,
    fetch: (input, init) =>
      fetch(typeof input === "string" && input.startsWith("/") ? base + input : input, init),
    state: () => json("getEmulator"),
    reset: (fixture) => none("resetEmulator", { body: { fixture } }),
    clock: {
      get: () => json("getClock"),
      advance: (advance) => json("changeClock", { body: { advance } }),
      set: (now) => json("changeClock", { body: { now } }),
      mode: (mode) => json("changeClock", { body: { mode } }),
      change: (body) => json("changeClock", { body }),
    },
    profile: { get: () => json("getProfile"), set: (body) => json("setProfile", { body }) },
    users: {
      list: async () => (await json<{ users: never }>("listUsers")).users,
      create: (body) => json("createUser", { body }),
      delete: (userId) => none("deleteUser", { path: { userId } }),
    },
    apiKeys: {
      create: (body) => json("createApiKey", { body }),
      list: async () => (await json<{ apiKeys: never }>("listApiKeys")).apiKeys,
      delete: (apiKeyId) => none("deleteApiKey", { path: { apiKeyId } }),
    },
    sessions: { create: (body) => json("createSession", { body }) },
    token: async (body) => (await json<{ accessToken: string }>("createSession", { body })).accessToken,
    organizations: {
      list: async () => (await json<{ organizations: never }>("listOrganizations")).organizations,
      change: (organizationId, body) => json("changeOrganization", { path: { organizationId }, body }),
    },
    invitations: { accept: (body) => json("acceptInvitation", { body }) },
    checkouts: {
      get: (checkoutId) => json("getCheckout", { path: { checkoutId } }),
      complete: (checkoutId, body = {}) => json("completeCheckout", { path: { checkoutId }, body }),
    },
    returnAddresses: {
      get: () => json("getReturnAddresses"),
      set: (body) => json("setReturnAddresses", { body }),
    },
    subscriptions: {
      get: (organizationId) => json("getSubscription", { path: { organizationId } }),
      orders: async (organizationId) =>
        (await json<{ orders: never }>("listOrders", { path: { organizationId } })).orders,
      change: (organizationId, body) => json("changeSubscription", { path: { organizationId }, body }),
    },
    databases: {
      list: async () => (await json<{ databases: never }>("listAllDatabases")).databases,
      change: (databaseId, body) => json("changeDatabase", { path: { databaseId }, body }),
    },
    health: { set: (body) => json("setHealth", { body }) },
    faults: {
      create: (body) => json("createFault", { body }),
      list: async () => (await json<{ faults: never }>("listFaults")).faults,
      get: (faultId) => json("getFault", { path: { faultId } }),
      delete: (faultId) => none("deleteFault", { path: { faultId } }),
      clear: () => none("clearFaults"),
    },
    journal: {
      entries: async (filter) =>
        (await json<{ entries: never }>("getJournal", journal(filter, "json"))).entries,
      har: (filter) => json("getJournal", journal(filter, "har")),
      clear: () => none("clearJournal"),
    },
    snapshot: (snapshot) =>
      snapshot === undefined ? json("takeSnapshot") : json("saveSnapshot", { path: { name: snapshot } }),
    restore: (snapshot) => none("restoreSnapshot", { path: { name: snapshot } }),
    fork: async (to) => {
      // the fork of a namespace that nobody has used yet
      await none("getClock");
      return forked("forkNamespace", { name }, to);
    },
    snapshots: {
      list: async () => (await json<{ snapshots: never }>("listSnapshots")).snapshots,
      get: (snapshot) => json("getSnapshot", { path: { name: snapshot } }),
      delete: (snapshot) => none("deleteSnapshot", { path: { name: snapshot } }),
      fork: (snapshot, to) => forked("forkSnapshot", { name: snapshot }, to),
      download,
      upload: (snapshot, file) => json("uploadSnapshot", { path: { name: snapshot }, file }),
    },
    export: async () => {
      const { name: taken } = await json<{ name: string }>("takeSnapshot");
      try {
        return await download(taken);
      } finally {
        await none("deleteSnapshot", { path: { name: taken } });
      }
    },
  };
}

/** Calls whose answer is JSON; what it holds follows from the type of the function that makes the call. */
function jsonCalls(base: string) {
  return async <Body = never>(id: RoutedControlId, call?: ControlCallOptions): Promise<Body> =>
    (await (await callControlPlane(base, id, call)).json()) as Body;
}

function emptyCalls(base: string) {
  return async (id: RoutedControlId, call?: ControlCallOptions): Promise<void> => {
    await (await callControlPlane(base, id, call)).arrayBuffer();
  };
}
