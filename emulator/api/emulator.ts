import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Hono } from "hono";
import type { SqlJsStatic } from "sql.js";
import type { EmulatorOptions, ListenOptions } from "./emulator-options.js";
import {
  type EmulatorNamespace,
  type NamespaceManager,
  createNamespaceManager,
} from "./emulator-namespace.js";
import { EmulatorHost } from "./emulator-host.js";
import { createLocalNamespace, createLocalTransport, runWithProblemStatus } from "./local-namespace.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import { defaultNamespace, parseName } from "../request/name.js";
import { markCredentialsAsSeeded, openFixture } from "../seeds/starting-state.js";
import { Namespaces } from "../namespaces/namespaces.js";
import { parseEmulatorOptions } from "./read-options.js";
import { readStateFileBytes } from "../state-files/read-state-file-bytes.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { extractState } from "../state-files/state-file.js";
import { StateFileError } from "../state-files/state-file-error.js";

export type { EmulatorOptions, ListenOptions };

/** A running emulator: its default namespace, and access to other namespaces. */
export interface Emulator extends EmulatorNamespace {
  /**
   * The emulator as a Hono application, including namespaces and the control plane: `app.request("/health")`,
   * `other.route("/data", emulator.app)`, `serve({ fetch: emulator.app.fetch })`.
   */
  readonly app: Hono<EmulatorEnv>;
  /** Listens on a port and returns the base URL. Rejects if the emulator is already listening with other options. */
  readonly listen: (options?: ListenOptions) => Promise<string>;
  /** Stops listening after answering the pending requests, for at most five seconds. Delays from fault rules end at once. */
  readonly stopListening: () => Promise<void>;
  /** Returns another namespace, for example for a test or a worker. It is created when it is first used. */
  readonly namespace: (name: string) => EmulatorNamespace;
  readonly namespaces: NamespaceManager;
  /**
   * Reads the seed file given by the option `fixture` again, and resets every namespace that starts from it.
   *
   * @throws Error with every mistake in the file, or if the fixture's name in it has changed; in both cases, no data changes
   */
  readonly reload: () => void;
  /** Stops listening and frees the memory. */
  readonly close: () => Promise<void>;
}

/**
 * Creates an emulator.
 *
 * @throws Error with every mistake in the options
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const namespacesOptions = parseEmulatorOptions(options);
  const sqlite = await loadSqlite();
  const { fixture = "demo" } = options;
  const seedOptions = {
    profile: namespacesOptions.profile,
    idSeedOverrides: options.seed === undefined ? [] : [options.seed],
  };
  const opened = openFixture(sqlite, fixture, seedOptions);
  const data = options.data === undefined ? undefined : await readData(sqlite, options.data);
  const namespaces = new Namespaces(sqlite, { ...namespacesOptions, ...opened, data });
  const host = new EmulatorHost(namespaces, options);
  return Object.assign(createLocalNamespace(host, defaultNamespace), {
    app: host.app,
    listen: (where?: ListenOptions) => host.listen(where),
    namespace: (name: string) =>
      createLocalNamespace(
        host,
        runWithProblemStatus(() => parseName(name, "namespace")),
      ),
    namespaces: createNamespaceManager(createLocalTransport(host, defaultNamespace)),
    stopListening: () => host.stopListening(),
    reload: () => {
      const { fixture: name, fixtures } = openFixture(sqlite, fixture, seedOptions);
      if (name !== opened.fixture)
        throw new Error(
          `the name of the fixture has changed from ${opened.fixture} to ${name}; change it back, or restart the emulator`,
        );
      host.namespaces().replaceFixtures(fixtures);
    },
    close: () => host.close(),
  });
}

/** @throws Error with the name of the file and the reason */
async function readData(sqlite: SqlJsStatic, data: string | URL | Uint8Array): Promise<Uint8Array> {
  const name =
    data instanceof Uint8Array
      ? "the given data"
      : `the data file ${resolve(data instanceof URL ? fileURLToPath(data) : data)}`;
  try {
    const file = data instanceof Uint8Array ? data.slice() : await readStateFileBytes(data);
    return markCredentialsAsSeeded(sqlite, extractState(sqlite, file));
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === "ENOENT") throw new Error(`${name} does not exist`, { cause: error });
    if (error instanceof StateFileError || code !== undefined)
      throw new Error(`${name} cannot be used: ${(error as Error).message}`, { cause: error });
    throw error;
  }
}
