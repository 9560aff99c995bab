import { createEmulator, type Emulator } from "./emulator.js";
import type { EmulatorOptions } from "./emulator-options.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";
import { formatReceivedRequest } from "../journal/received-request.js";
import { defaultNamespace } from "../request/name.js";

/** Options of the emulator that provides the namespaces of tests. */
export interface DataServiceOptions extends EmulatorOptions {
  /**
   * Prepares the starting state in a namespace, once per worker. Every test starts with a copy of this namespace. With
   * the option `data`, the namespace has the state of that file before it is prepared.
   */
  readonly prepare?: (namespace: EmulatorNamespace) => void | Promise<void>;
  /** Number of recent requests that the error of a failed test shows (default 5; 0 for none). */
  readonly shownRequests?: number;
}

/** Name of the snapshot from which namespaces are forked, if a starting state was prepared. */
const prepared = "prepared";

/** Provides a namespace for each test, in an emulator that starts when the first test needs it. */
export class TestNamespaces {
  readonly #options: Omit<DataServiceOptions, "shownRequests">;
  readonly #shownRequests: number;
  #emulator: Promise<Emulator> | undefined;
  /** Number of tests that have a namespace or wait for one. */
  #tests = 0;
  readonly #names = new Set<string>();

  constructor({ shownRequests = 5, ...options }: DataServiceOptions) {
    this.#options = options;
    this.#shownRequests = shownRequests;
  }

  /** Creates a namespace named after the test, so that URLs and ids do not depend on earlier tests. */
  async begin(title: string): Promise<EmulatorNamespace> {
    this.#tests += 1;
    try {
      const emulator = await (this.#emulator ??= startEmulator(this.#options));
      const name = this.#freeName(title);
      if (isPrepared(this.#options)) emulator.snapshots.fork(prepared, name);
      // a namespace that does not exist yet has no journal for requests to unknown paths
      else emulator.namespaces.set(name, { idleSeconds: null });
      const namespace = emulator.namespace(name);
      this.#names.add(name);
      return namespace;
    } catch (error) {
      this.#tests -= 1;
      throw error;
    }
  }

  /** Deletes a namespace. When no test has one any more, also deletes the namespaces that tests forked. */
  async end(namespace: EmulatorNamespace): Promise<void> {
    const emulator = await this.#emulator;
    this.#names.delete(namespace.name);
    this.#tests -= 1;
    // the test may have deleted it already, or never used it
    for (const { name } of emulator?.namespaces.list() ?? [])
      if (name === namespace.name || (this.#tests === 0 && name !== defaultNamespace))
        emulator?.namespaces.delete(name);
  }

  /** Adds the last requests of a namespace to the error of a failed test. */
  showRequests(
    namespace: EmulatorNamespace,
    error: { message?: string; stack?: string | undefined } | undefined,
  ): void {
    const { message } = error ?? {};
    if (error === undefined || message === undefined || this.#shownRequests === 0) return;
    const requests = namespace.journal.requests({ limit: this.#shownRequests }).map(formatReceivedRequest);
    // a matcher's failure may list the same requests
    if (requests.every((request) => message.includes(request))) return;
    const lines = requests.map((request) => `  ${request}`).join("\n");
    const text = `\n\nThe last requests to the data service:\n${lines}\n`;
    error.stack = error.stack?.replace(message, message + text);
    error.message = message + text;
  }

  async urlOf({ name }: EmulatorNamespace): Promise<string> {
    const emulator = await (this.#emulator ??= startEmulator(this.#options));
    return `${await emulator.listen()}/ns/${name}`;
  }

  /** Closes the emulator at the end of a file. If files share a worker, the next file starts another emulator. */
  async close(): Promise<void> {
    if (this.#tests > 0) return;
    const emulator = this.#emulator;
    this.#emulator = undefined;
    await (await emulator?.catch(() => undefined))?.close();
  }

  #freeName(title: string): string {
    const slug = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 48)
      .replace(/^-|-$/g, "");
    const base = slug === "" || slug === defaultNamespace ? `test-${slug}` : slug;
    let name = base;
    for (let number = 2; this.#names.has(name); number += 1) name = `${base}-${number}`;
    return name;
  }
}

/**
 * Returns the namespace of the only running test.
 *
 * @param advice what users with concurrent tests can do instead
 * @throws Error if no test is running, or if several are
 */
export function getOnlyNamespace(
  running: ReadonlyMap<unknown, EmulatorNamespace>,
  advice: string,
): EmulatorNamespace {
  const [namespace, ...others] = running.values();
  if (namespace === undefined)
    throw new Error("useDataService(): no test is running. Get the namespace in a test or in `beforeEach`.");
  if (others.length > 0)
    throw new Error(
      `useDataService(): several tests are running concurrently, so the namespace of this test is unknown. ${advice}`,
    );
  return namespace;
}

/** Whether namespaces are forked from a snapshot. Without one, they would start with the fixture, even with `data`. */
function isPrepared({ prepare, data }: DataServiceOptions): boolean {
  return prepare !== undefined || data !== undefined;
}

async function startEmulator(options: DataServiceOptions): Promise<Emulator> {
  const { prepare, ...ofEmulator } = options;
  const emulator = await createEmulator(ofEmulator);
  try {
    await prepare?.(emulator);
    if (isPrepared(options)) emulator.snapshots.save(prepared);
    return emulator;
  } catch (error) {
    await emulator.close();
    throw error;
  }
}
