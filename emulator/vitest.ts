/** `data-service-emulator/vitest`: a world of its own for every test. The only file that knows Vitest. */
import { afterAll, afterEach, beforeAll, beforeEach, test as vitestTest } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "./emulator.js";
import type { EmulatorNamespace } from "./local-namespace.js";
import { defaultNamespace } from "./name.js";

/** How the worlds of tests begin. */
export interface DataServiceOptions extends EmulatorOptions {
  /**
   * Fills a world once for each worker of Vitest; every test begins with a copy of it. With `data`, it is given the
   * world of that file.
   */
  readonly prepare?: (world: EmulatorNamespace) => void | Promise<void>;
}

/** What a test takes from its context. */
export interface DataServiceFixtures {
  /** A namespace that no other test sees, made for the test and deleted after it. */
  readonly dataService: EmulatorNamespace;
  /** Its base URL, for clients that need one: a test that asks for it makes the emulator listen on a free port. */
  readonly dataServiceUrl: string;
}

/** The emulator of one worker, as Vitest's types know it. */
interface WorkerFixtures {
  readonly dataServiceWorlds: TestWorlds;
}

/**
 * Vitest's `test` with a world for each test that asks for one. The emulator starts when the first one does, and tests
 * that run at the same time (`test.concurrent`) have one each. To be called outside of `describe`.
 *
 *     const test = dataServiceTest({ fixture: "empty" });
 *     test("has no databases", ({ dataService }) => {
 *       expect(dataService.state().counts.databases).toBe(0);
 *     });
 */
export function dataServiceTest(options: DataServiceOptions = {}) {
  return vitestTest.extend<DataServiceFixtures & WorkerFixtures>({
    dataServiceWorlds: [
      // Vitest reads the names of what a fixture needs from its first parameter
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const worlds = await TestWorlds.open(options);
        await use(worlds);
        await worlds.close();
      },
      { scope: "worker" },
    ],
    dataService: async ({ task, dataServiceWorlds }, use) => {
      const world = dataServiceWorlds.begin(task.name);
      await use(world);
      dataServiceWorlds.end(world);
    },
    dataServiceUrl: async ({ dataService, dataServiceWorlds }, use) => {
      await use(await dataServiceWorlds.urlOf(dataService));
    },
  });
}

/** {@link dataServiceTest} without options: every test begins with the fixture `demo`. */
export const test = dataServiceTest();

/** The hooks of {@link useDataService}; with `listen`, the worlds have a `url` as well. */
export interface DataServiceHookOptions extends DataServiceOptions {
  readonly listen?: boolean;
}

/**
 * The same for suites that keep Vitest's own `test`: called in a file or a `describe`, it gives every test there a
 * world. What it returns finds the world of the running test; of tests that run at the same time it cannot tell which
 * one asks, and says so.
 *
 *     const dataService = useDataService();
 *     test("answers", async () => {
 *       expect((await dataService().fetch("/health")).status).toBe(200);
 *     });
 */
export function useDataService(options: DataServiceHookOptions = {}): () => EmulatorNamespace {
  let worlds: TestWorlds | undefined;
  const running = new Map<string, EmulatorNamespace>();
  beforeAll(async () => {
    worlds = await TestWorlds.open(options);
    if (options.listen === true) await worlds.listen();
  });
  beforeEach(({ task }) => {
    if (worlds !== undefined) running.set(task.id, worlds.begin(task.name));
  });
  afterEach(({ task }) => {
    const world = running.get(task.id);
    running.delete(task.id);
    if (world !== undefined) worlds?.end(world);
  });
  afterAll(() => worlds?.close());
  return () => {
    const [world, ...others] = running.values();
    if (world === undefined)
      throw new Error(
        "useDataService(): no test is running. Ask for the world in a test or in `beforeEach`.",
      );
    if (others.length > 0)
      throw new Error(
        "useDataService(): several tests are running, and it cannot tell which one asks. " +
          "Concurrent tests take `dataService` from `test` of data-service-emulator/vitest.",
      );
    return world;
  };
}

/** The name of the snapshot that worlds begin as, where something was prepared. */
const prepared = "prepared";

/** An emulator that hands out a namespace for each test. */
class TestWorlds {
  readonly #emulator: Emulator;
  readonly #isPrepared: boolean;
  readonly #names = new Set<string>();

  private constructor(emulator: Emulator, isPrepared: boolean) {
    this.#emulator = emulator;
    this.#isPrepared = isPrepared;
  }

  static async open(options: DataServiceOptions): Promise<TestWorlds> {
    const { prepare, data } = options;
    const emulator = await createEmulator(options);
    // namespaces begin with the fixture, unless they are copies
    const isPrepared = prepare !== undefined || data !== undefined;
    try {
      await prepare?.(emulator);
      if (isPrepared) emulator.snapshot(prepared);
    } catch (error) {
      await emulator.close();
      throw error;
    }
    return new TestWorlds(emulator, isPrepared);
  }

  /** A new world, named for the test so that URLs and ids do not depend on which tests ran before. */
  begin(title: string): EmulatorNamespace {
    const name = this.#freeName(title);
    const world = this.#isPrepared
      ? this.#emulator.snapshots.fork(prepared, name)
      : this.#emulator.namespace(name);
    this.#names.add(name);
    return world;
  }

  /** Deletes a world, and with the last of them what tests forked beside theirs. */
  end(world: EmulatorNamespace): void {
    this.#names.delete(world.name);
    // the test may have deleted it, or never looked at it
    for (const { name } of this.#emulator.namespaces.list())
      if (name === world.name || (this.#names.size === 0 && name !== defaultNamespace))
        this.#emulator.namespaces.delete(name);
  }

  async urlOf({ name }: EmulatorNamespace): Promise<string> {
    return `${await this.listen()}/ns/${name}`;
  }

  listen(): Promise<string> {
    return this.#emulator.listen();
  }

  close(): Promise<void> {
    return this.#emulator.close();
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
