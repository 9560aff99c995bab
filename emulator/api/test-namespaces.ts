import { createEmulator, type Emulator } from "./emulator.js";
import type { EmulatorOptions } from "./emulator-options.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";
import { type ForkingTest, ownForks } from "./own-forks.js";
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
  /** The namespace of each running test; undefined while the test waits for it. */
  readonly #running = new Map<unknown, ForkingTest<EmulatorNamespace> | undefined>();
  readonly #given = new Set<string>();

  constructor({ shownRequests = 5, ...options }: DataServiceOptions) {
    this.#options = options;
    this.#shownRequests = shownRequests;
  }

  /**
   * Creates the namespace of a test, named after its title, so that URLs do not depend on tests with other titles. No name
   * is given twice, so that late requests of a test do not reach its next attempt.
   *
   * @param test identifies the test
   */
  async begin(test: unknown, title: string): Promise<EmulatorNamespace> {
    this.#running.set(test, undefined);
    try {
      const emulator = await (this.#emulator ??= startEmulator(this.#options));
      const name = this.#freeName(title, emulator);
      if (isPrepared(this.#options)) emulator.snapshots.fork(prepared, name);
      // A namespace that does not exist yet has no journal for requests to unknown paths.
      else emulator.namespaces.set(name, { idleSeconds: null });
      const namespace = emulator.namespace(name);
      this.#running.set(test, ownForks(namespace));
      return namespace;
    } catch (error) {
      this.#running.delete(test);
      throw error;
    }
  }

  /**
   * Adds the last requests of a test to its error, and deletes its namespace and its forks. When no test is running any
   * more, also deletes namespaces that tests created over HTTP.
   *
   * @param serviceUrl the URL whose requests are routed to the namespace, if there is one
   */
  async end(test: unknown, error: TestError | undefined, serviceUrl?: string): Promise<void> {
    const ending = this.#running.get(test);
    if (ending === undefined) return;
    ending.hasEnded = true;
    this.#showRequests(ending.namespace, error, serviceUrl);
    const emulator = await this.#emulator;
    this.#running.delete(test);
    const own = new Set([ending.namespace.name, ...ending.forks]);
    // The test may have deleted them already, or never used its namespace.
    for (const { name } of emulator?.namespaces.list() ?? [])
      if (own.has(name) || (this.#running.size === 0 && name !== defaultNamespace))
        emulator?.namespaces.delete(name);
  }

  #showRequests(namespace: EmulatorNamespace, error: TestError | undefined, serviceUrl?: string): void {
    const { message } = error ?? {};
    if (error === undefined || message === undefined || this.#shownRequests === 0) return;
    if (!namespace.journal.status().recording) return;
    const requests = namespace.journal.requests({ limit: this.#shownRequests }).map(formatReceivedRequest);
    // A matcher's failure may list the same requests.
    if (requests.length > 0 && requests.every((request) => message.includes(request))) return;
    const lines = requests.map((request) => `  ${request}`).join("\n");
    const where = serviceUrl === undefined ? "" : ` (serviceUrl is ${serviceUrl})`;
    const text =
      requests.length > 0
        ? `\n\nThe last requests to the data service:\n${lines}\n`
        : `\n\nThe journal has no requests of this test to the data service${where}.\n`;
    // A replacement string could contain patterns such as $&.
    error.stack = error.stack?.replace(message, () => message + text);
    error.message = message + text;
  }

  /**
   * Returns the namespace of the only running test.
   *
   * @param advice what users with concurrent tests can do instead
   * @throws Error if no test is running, or if several are
   */
  getOnly(advice: string): EmulatorNamespace {
    const [namespace, ...others] = this.#namespaces;
    if (namespace === undefined)
      throw new Error(
        "useDataService(): no test is running. Get the namespace in a test or in `beforeEach`.",
      );
    if (others.length > 0)
      throw new Error(
        `useDataService(): several tests are running concurrently, so the namespace of this test is unknown. ${advice}`,
      );
    return namespace;
  }

  async urlOf({ name }: EmulatorNamespace): Promise<string> {
    const emulator = await (this.#emulator ??= startEmulator(this.#options));
    return `${await emulator.listen()}/ns/${name}`;
  }

  /** Closes the emulator at the end of a file. If files share a worker, the next file starts another emulator. */
  async close(): Promise<void> {
    if (this.#running.size > 0) return;
    const emulator = this.#emulator;
    this.#emulator = undefined;
    await (await emulator?.catch(() => undefined))?.close();
  }

  #freeName(title: string, emulator: Emulator): string {
    const slug = title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 48)
      .replace(/^-|-$/g, "");
    const base = slug === "" || slug === defaultNamespace ? `test-${slug}` : slug;
    let name = base;
    // Other namespaces may be forks.
    const existing = emulator.namespaces.list().map((one) => one.name);
    for (let number = 2; this.#given.has(name) || existing.includes(name); number += 1)
      name = `${base}-${number}`;
    this.#given.add(name);
    return name;
  }

  get #namespaces(): EmulatorNamespace[] {
    return [...this.#running.values()].flatMap((test) => test?.namespace ?? []);
  }
}

/** The error of a failed test. */
interface TestError {
  message?: string;
  stack?: string | undefined;
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
