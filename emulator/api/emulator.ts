import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import type { SqlJsStatic } from "sql.js";
import type { EmulatorOptions, ListenOptions } from "./emulator-options.js";
import { createEntry, type Entry } from "../http/entry.js";
import { closeServer, listen } from "../http/listen.js";
import { selfSignedCertificate } from "../http/self-signed-certificate.js";
import {
  bodyOf,
  type EmulatorHost,
  type EmulatorNamespace,
  LocalNamespace,
  type Result,
} from "./local-namespace.js";
import { defaultNamespace, readName } from "../request/name.js";
import { withKnownCredentials } from "../seeds/known-credentials.js";
import { openFixture } from "../seeds/open-fixture.js";
import { Namespaces } from "../namespaces/namespaces.js";
import { checkListenOptions, readOptions } from "./read-options.js";
import { readStateFile } from "../world/open-world.js";
import { readDataFile } from "../state-files/read-data-file.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { StateFileError } from "../state-files/state-file-error.js";

export type { EmulatorOptions, ListenOptions };

/** A running emulator, which is its default namespace, and leads to the others. */
export interface Emulator extends EmulatorNamespace {
  /** Listens on a port and returns the base URL. */
  readonly listen: (options?: ListenOptions) => Promise<string>;
  /** Ends what `listen` began; requests under way are answered first. */
  readonly stopListening: () => Promise<void>;
  /** Another namespace, made at its first use: a world for one test, or one worker. */
  readonly namespace: (name: string) => EmulatorNamespace;
  readonly namespaces: {
    /** All of them, the default one first. */
    readonly list: () => Result<"listNamespaces">["namespaces"];
    /**
     * Makes one, unless it is there, and says after how many seconds without a request it goes, by the machine's time;
     * null for never.
     */
    readonly set: (name: string, idle: { readonly idleSeconds: number | null }) => Result<"setNamespace">;
    /** Deletes one with its snapshots; using its name again makes a new one. */
    readonly delete: (name: string) => void;
  };
  /** Stops listening and frees the memory. */
  readonly close: () => Promise<void>;
}

/** @throws Error for options that make no sense, with every mistake in the message */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const beginning = readOptions(options);
  const sqlite = await loadSqlite();
  const opened = openFixture(sqlite, options.fixture ?? "demo");
  const data = options.data === undefined ? undefined : await readData(sqlite, options.data);
  const namespaces = new Namespaces(sqlite, { ...beginning, ...opened, data });
  return new LocalEmulator(new Host(namespaces, options.console ?? true));
}

interface Listening {
  readonly server: Server;
  readonly url: string;
}

/** The namespaces and the socket that they may be reached over. */
class Host implements EmulatorHost {
  readonly entry: Entry;
  readonly #namespaces: Namespaces;
  #opening: Promise<Listening> | undefined;
  #listening: Listening | undefined;
  #isClosed = false;

  constructor(namespaces: Namespaces, hasConsole: boolean) {
    this.#namespaces = namespaces;
    this.entry = createEntry(namespaces, { hasConsole, isListening: () => this.#listening !== undefined });
  }

  namespaces(): Namespaces {
    if (this.#isClosed) throw new Error("the emulator is closed");
    return this.#namespaces;
  }

  url(): string | undefined {
    return this.#listening?.url;
  }

  async listen(options: ListenOptions = {}): Promise<string> {
    checkListenOptions(options);
    const { port = 0, host = "127.0.0.1", https = false } = options;
    const certificate = https ? selfSignedCertificate([host, ...this.#namespaces.allowHosts]) : undefined;
    // who calls while the port is being opened gets the same one
    const opening = (this.#opening ??= listen(this.entry, { port, host, certificate }));
    try {
      const listening = await opening;
      if (this.#opening === opening) this.#listening = listening;
      return listening.url;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async stopListening(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#listening = undefined;
    const listening = await opening?.catch(() => undefined);
    if (listening !== undefined) await closeServer(listening.server);
  }

  async close(): Promise<void> {
    // requests that a fault rule keeps waiting would keep the server open
    for (const { faults } of this.#namespaces.list()) faults.close();
    await this.stopListening();
    this.#isClosed = true;
    this.#namespaces.close();
  }
}

class LocalEmulator extends LocalNamespace implements Emulator {
  readonly #host: Host;

  constructor(host: Host) {
    super(host, defaultNamespace);
    this.#host = host;
  }

  readonly listen = (options?: ListenOptions) => this.#host.listen(options);

  readonly namespace = (name: string) => new LocalNamespace(this.#host, readName(name, "namespace"));

  readonly namespaces: Emulator["namespaces"] = {
    list: () => bodyOf(this.call("listNamespaces", {})).namespaces,
    set: (name, body) => bodyOf(this.call("setNamespace", { path: { name }, body })),
    delete: (name) => void this.call("deleteNamespace", { path: { name } }),
  };

  readonly stopListening = () => this.#host.stopListening();

  readonly close = () => this.#host.close();
}

/** @throws Error that names the file and what is wrong with it */
async function readData(sqlite: SqlJsStatic, data: string | URL | Uint8Array): Promise<Uint8Array> {
  const name = data instanceof Uint8Array ? "the given data" : `the data file ${fileName(data)}`;
  try {
    const file = data instanceof Uint8Array ? data.slice() : await readDataFile(data);
    return withKnownCredentials(sqlite, readStateFile(sqlite, file).bytes);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === "ENOENT") throw new Error(`${name} does not exist`, { cause: error });
    if (error instanceof StateFileError || code !== undefined)
      throw new Error(`${name} cannot be used: ${(error as Error).message}`, { cause: error });
    throw error;
  }
}

function fileName(data: string | URL): string {
  return data instanceof URL ? fileURLToPath(data) : data;
}
