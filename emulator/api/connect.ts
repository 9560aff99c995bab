import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { callControlPlane } from "./control-client.js";
import type { EmulatorNamespace, EmulatorNamespaces } from "./emulator-namespace.js";
import {
  type CallRequest,
  type NamespaceCalls,
  createNamespaceCalls,
  createNamespacesCalls,
  type Transport,
} from "./namespace-calls.js";
import { createRequest } from "./create-request.js";
import { getSignal } from "./reject-on-abort.js";

/** The functions of a handle, returning promises. */
type Promisified<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result extends EmulatorNamespace ? RemoteNamespace : Awaited<Result>>
    : Members[Name] extends object
      ? Promisified<Members[Name]>
      : Members[Name];
};

/** A namespace of an emulator in another process: the functions of {@link EmulatorNamespace}, each returning a promise. */
export interface RemoteNamespace extends Promisified<Omit<EmulatorNamespace, "url">> {
  /** The base URL of the namespace. */
  readonly url: string;
}

/** An emulator in another process: the namespace of the URL, and access to the others. */
export interface RemoteEmulator extends RemoteNamespace {
  /** Another namespace, created on first use. */
  readonly namespace: (name: string) => RemoteNamespace;
  readonly namespaces: Promisified<EmulatorNamespaces>;
}

export interface ConnectOptions {
  /** How long to wait for an emulator that is about to start, in milliseconds (default 0). */
  readonly waitMs?: number;
}

const pollIntervalMs = 50;

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
      return createRemoteEmulator(base, namespace);
    } catch (error) {
      if (Date.now() >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    }
}

function createRemoteEmulator(base: string, name: string): RemoteEmulator {
  const root = base.replace(/\/ns\/[^/]+$/, "");
  const namespace = (other: string) =>
    createRemoteNamespace(
      other === "default" ? root : `${root}/ns/${encodeURIComponent(other)}`,
      root,
      other,
    );
  return {
    ...createRemoteNamespace(base, root, name),
    namespace,
    namespaces: createNamespacesCalls(
      createRemoteTransport(root, root),
    ) as unknown as RemoteEmulator["namespaces"],
  };
}

/** @param root the base URL of the whole emulator */
function createRemoteNamespace(base: string, root: string, name: string): RemoteNamespace {
  const transport = createRemoteTransport(base, root);
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, "");
  const calls = createNamespaceCalls(transport) as unknown as Promisified<NamespaceCalls>;
  return {
    ...calls,
    name,
    url: base,
    fetch: async (input, init) =>
      fetch(
        await createRequest({ origin, prefix }, input, { signal: getSignal(input, init) ?? null, ...init }),
      ),
    fork: async (to) => {
      // the fork of a namespace that nobody has used yet
      await calls.clock.get();
      await callControlPlane(base, "forkNamespace", { path: { name }, body: { to } });
      return createRemoteNamespace(`${root}/ns/${to}`, root, to);
    },
    export: async () => {
      const { name: taken } = await calls.snapshot();
      try {
        return await calls.snapshots.download(taken);
      } finally {
        await calls.snapshots.delete(taken);
      }
    },
  };
}

/** Calls of the control plane over HTTP: each returns a promise of its in-process result. */
function createRemoteTransport(base: string, root: string): Transport {
  const later = {
    call: async (id: ControlOperationId, request?: CallRequest, pick?: (body: unknown) => unknown) => {
      const answer = await callControlPlane(base, id, request);
      const text = await answer.text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      return pick === undefined ? body : pick(body);
    },
    file: async (id: ControlOperationId, request: CallRequest, pick: (bytes: Uint8Array) => unknown) => {
      const answer = await callControlPlane(base, id, { accept: "application/vnd.sqlite3", ...request });
      return pick(new Uint8Array(await answer.arrayBuffer()));
    },
    namespace: (name: string) => createRemoteNamespace(`${root}/ns/${name}`, root, name),
  };
  return later as unknown as Transport;
}
