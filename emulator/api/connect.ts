import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { sqliteMediaType } from "../../openapi/control-plane/media-types.js";
import { controlRoutes } from "../../openapi/generated/control-routes.js";
import type { ProblemKind } from "../../openapi/operations/problems.js";
import { fillPath } from "../../openapi/text/path-template.js";
import { tryTo } from "../../openapi/text/try-to.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { createCallProblem } from "../domain/problem.js";
import { defaultNamespace, isValidName, nameRuleText } from "../request/name.js";
import {
  type TransportRequest,
  type EmulatorNamespace,
  type NamespaceManager,
  type NamespaceClient,
  createNamespaceClient,
  createNamespaceManager,
  toQueryTexts,
  type Transport,
} from "./emulator-namespace.js";
import { createRequest, getFetchGlobals } from "./create-request.js";
import { must, rejectMistakes } from "./reject-mistakes.js";
import { stringifyCall } from "./stringify-call.js";

/** An object of the same form whose functions return promises. */
type Promisified<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result extends EmulatorNamespace ? RemoteNamespace : Awaited<Result>>
    : Members[Name] extends object
      ? Promisified<Members[Name]>
      : Members[Name];
};

/** A namespace of an emulator in another process: {@link EmulatorNamespace} with functions that return promises. */
export interface RemoteNamespace extends Promisified<Omit<EmulatorNamespace, "url">> {
  /** The base URL of the namespace. */
  readonly url: string;
}

/** An emulator in another process: the namespace at the URL, and access to other namespaces. */
export interface RemoteEmulator extends RemoteNamespace {
  /** Returns another namespace, which is created when it is first used. */
  readonly namespace: (name: string) => RemoteNamespace;
  readonly namespaces: Promisified<NamespaceManager>;
}

/** The result of a matcher: a promise if the requests of the receiver are read over HTTP. */
export type ResultForReceiver<Receiver, Result> = Receiver extends RemoteNamespace ? Promise<void> : Result;

export interface ConnectOptions {
  /** How long to wait for an emulator to start, in milliseconds (default 0). */
  readonly waitMs?: number;
}

const rules = {
  waitMs: must("waitMs must be a number of milliseconds", (value) => typeof value === "number" && value >= 0),
};

const pollIntervalMs = 50;

/** Time for the first call, in milliseconds, because another server may accept a connection and never respond. */
const maxFirstCallMs = 5000;

/** The longest time of Node's timers, in milliseconds. They also need an integer. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Enough time for the slowest calls, which read or check a state of maximum size. */
const maxCallMs = 120_000;

/**
 * Connects to an emulator in another process through its control plane.
 *
 * @param url base URL of the emulator or of one of its namespaces (`…/ns/name`); defaults to `DATA_SERVICE_URL`
 * @throws Error if no emulator responds at the URL
 */
export async function connectEmulator(
  url: string | URL | undefined = process.env.DATA_SERVICE_URL,
  options: ConnectOptions = {},
): Promise<RemoteEmulator> {
  rejectMistakes("connectEmulator", options, rules);
  if (url === undefined || url === "")
    throw new Error("connectEmulator() needs an emulator's URL: pass it, or set DATA_SERVICE_URL");
  if (!/^https?:/i.test(String(url)) || tryTo(() => new URL(url)) === undefined)
    throw new Error(
      `${String(url)} is not the URL of an emulator; expected a URL such as http://127.0.0.1:4100`,
    );
  const { origin, pathname } = new URL(url);
  const base = origin + pathname.replace(/\/+$/, "");
  const until = Date.now() + (options.waitMs ?? 0);
  for (;;)
    try {
      const remainingMs = Math.min(Math.ceil(until - Date.now()), maxTimeoutMs);
      const timeoutMs = Math.max(maxFirstCallMs, remainingMs);
      const answer = await callControlPlane(base, "getEmulator", {}, timeoutMs);
      const { namespace } = (tryTo(() => parseBody(answer)) ?? {}) as { readonly namespace?: unknown };
      if (typeof namespace !== "string")
        throw new Error(`no emulator responds at ${base}, but another server; check the URL`);
      return createRemoteEmulator(base, namespace);
    } catch (error) {
      if (Date.now() >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    }
}

function createRemoteEmulator(base: string, name: string): RemoteEmulator {
  const root = base.replace(/\/ns\/[^/]+$/, "");
  const namespace = (other: string) => {
    if (!isValidName(other))
      throw createCallProblem("malformed-request", `The name of a namespace ${nameRuleText}.`, {
        status: 400,
      });
    return createRemoteNamespace(other === defaultNamespace ? root : `${root}/ns/${other}`, root, other);
  };
  return {
    ...createRemoteNamespace(base, root, name),
    namespace,
    namespaces: createNamespaceManager(
      createRemoteTransport(root, root),
    ) as unknown as RemoteEmulator["namespaces"],
  };
}

/** @param root the base URL of the whole emulator */
function createRemoteNamespace(base: string, root: string, name: string): RemoteNamespace {
  const transport = createRemoteTransport(base, root);
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, "");
  const calls = createNamespaceClient(name, transport) as unknown as Promisified<NamespaceClient>;
  return {
    ...calls,
    url: base,
    fetch: async (input, init) =>
      getFetchGlobals().fetch(await createRequest({ origin, prefix }, input, init)),
    export: async () => {
      const { name: taken } = await calls.snapshots.save();
      try {
        return await calls.snapshots.download(taken);
      } finally {
        await calls.snapshots.delete(taken);
      }
    },
  };
}

/** Calls the control plane over HTTP. Each call returns a promise of the in-process result. */
function createRemoteTransport(base: string, root: string): Transport {
  const call = async (
    id: ControlOperationId,
    request: TransportRequest = {},
    pick = (answer: unknown) => answer,
  ) => {
    const bytes = await callControlPlane(base, id, request);
    return pick(request.accept === undefined ? parseBody(bytes) : bytes);
  };
  const namespace = (name: string) => createRemoteNamespace(`${root}/ns/${name}`, root, name);
  return { call, namespace } as unknown as Transport;
}

/**
 * Calls the control plane below a base URL, and returns the body of the response.
 *
 * @throws Problem that the emulator responds with, or Error if no emulator responds
 */
async function callControlPlane(
  base: string,
  id: ControlOperationId,
  { path = {}, query = {}, body, file, accept }: TransportRequest = {},
  timeoutMs = maxCallMs,
): Promise<Uint8Array> {
  const [method = "", route = ""] = controlRoutes[id].split(" ");
  const parameters = new URLSearchParams(toQueryTexts(query));
  const url = `${base}${fillPath(route, path)}${parameters.size === 0 ? "" : `?${parameters.toString()}`}`;
  const content = file ?? (body === undefined ? undefined : stringifyCall(body));
  const type = file === undefined ? "application/json" : sqliteMediaType;
  const { AbortSignal, fetch } = getFetchGlobals();
  const answer = await fetch(url, {
    method,
    headers: {
      ...(content === undefined ? {} : { "Content-Type": type }),
      ...(accept === undefined ? {} : { Accept: accept }),
    },
    ...(content === undefined ? {} : { body: content as string | Uint8Array<ArrayBuffer> }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new Error(`no emulator responds at ${base}: ${formatReason(error)}`, { cause: error });
  });
  const bytes = await answer.arrayBuffer().catch((error: unknown) => {
    throw new Error(`cannot read the response from ${url}: ${formatReason(error)}`, { cause: error });
  });
  if (answer.ok) return new Uint8Array(bytes);
  throw toError(answer, new Uint8Array(bytes), url);
}

function parseBody(bytes: Uint8Array): unknown {
  const text = new (getFetchGlobals().TextDecoder)().decode(bytes);
  return text === "" ? undefined : JSON.parse(text);
}

/** The cause of a failed `fetch`, whose own message is only "fetch failed". */
function formatReason(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

/** Converts a rejection to the Problem that the same call throws in-process. */
function toError({ status, headers }: Response, bytes: Uint8Array, url: string): Error {
  const isProblem = (headers.get("content-type") ?? "").startsWith("application/problem+json");
  const body = isProblem ? tryTo(() => parseBody(bytes)) : undefined;
  const { type, detail, errors = [] } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof type !== "string" || typeof detail !== "string" || !Array.isArray(errors))
    return new Error(
      `${url} responded with status ${status}, but not in the emulator's error format; check that the URL belongs to an emulator`,
    );
  const kind = type.split("/").at(-1) as ProblemKind;
  return createCallProblem(kind, detail, { violations: errors as readonly Violation[], status });
}
