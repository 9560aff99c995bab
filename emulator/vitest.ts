/** `data-service-emulator/vitest`: a namespace for every test. The only file of the package that knows Vitest. */
import type * as Vitest from "vitest";
import type { EmulatorNamespace } from "./api/emulator-namespace.js";
import { type ExpectedRequest, receivedMatchers, type ReceivedMatchers } from "./api/received-matchers.js";
import { type DataServiceOptions, TestNamespaces } from "./api/test-namespaces.js";

export type { DataServiceOptions, ExpectedRequest };

declare module "vitest" {
  // the parameters have to be those of Vitest
  // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
  interface Matchers<T = any> extends ReceivedMatchers<void> {}
}

/** Vitest, where it runs the file; elsewhere, as in a configuration that shares a helper, this can be imported as well. */
const running = "__vitest_worker__" in globalThis ? await import("vitest") : undefined;

running?.expect.extend(receivedMatchers as never);

function vitest(): typeof Vitest {
  if (running === undefined)
    throw new Error(
      "data-service-emulator/vitest gives namespaces to tests of Vitest, and Vitest does not run this file",
    );
  return running;
}

/** What a test takes from its context. */
export interface DataServiceFixtures {
  /** The namespace of the test, deleted after it. */
  readonly dataService: EmulatorNamespace;
  /** Its base URL, for clients that need one: using it makes the emulator listen on a free port. */
  readonly dataServiceUrl: string;
}

/**
 * Vitest's `test` with a namespace for each test that uses `dataService`. The emulator starts with the first of them, and
 * concurrent tests (`test.concurrent`) have one each.
 *
 *     const test = dataServiceTest({ fixture: "empty" });
 *     test("has no databases", ({ dataService }) => {
 *       expect(dataService.state().counts.databases).toBe(0);
 *     });
 */
export function dataServiceTest(options: DataServiceOptions = {}) {
  const { afterAll, test: vitestTest } = vitest();
  const namespaces = new TestNamespaces(options);
  afterAll(() => namespaces.close());
  return vitestTest.extend<DataServiceFixtures>({
    dataService: async ({ task }, use) => {
      const namespace = await namespaces.begin(task.name);
      await use(namespace);
      namespaces.showRequests(namespace, task.result?.errors?.[0]);
      await namespaces.end(namespace);
    },
    dataServiceUrl: async ({ dataService }, use) => {
      await use(await namespaces.urlOf(dataService));
    },
  });
}

/** {@link dataServiceTest} without options: every test starts with the fixture `demo`. */
export const test: ReturnType<typeof dataServiceTest> =
  running === undefined ? createUnavailableTest() : dataServiceTest();

/** Replaces `test` outside Vitest; using it throws an error that says why. */
function createUnavailableTest() {
  const refuse = () => vitest() as never;
  return new Proxy(refuse, { get: refuse }) as unknown as ReturnType<typeof dataServiceTest>;
}

/** The hooks of {@link useDataService}; with `listen`, the namespaces have a `url` as well. */
export interface DataServiceHookOptions extends DataServiceOptions {
  readonly listen?: boolean;
}

/**
 * The same for suites that keep Vitest's own `test`: called in a file or a `describe`, it gives every test there a
 * namespace. The function that it returns gives the namespace of the running test, and throws while several tests run
 * concurrently.
 *
 *     const dataService = useDataService();
 *     test("answers", async () => {
 *       expect((await dataService().fetch("/health")).status).toBe(200);
 *     });
 */
export function useDataService(options: DataServiceHookOptions = {}): () => EmulatorNamespace {
  const { afterAll, afterEach, beforeEach } = vitest();
  const { listen = false, ...emulatorOptions } = options;
  const namespaces = new TestNamespaces(emulatorOptions);
  const running = new Map<string, EmulatorNamespace>();
  beforeEach(async ({ task }) => {
    const namespace = await namespaces.begin(task.name);
    running.set(task.id, namespace);
    if (listen) await namespaces.urlOf(namespace);
  });
  afterEach(async ({ task }) => {
    const namespace = running.get(task.id);
    running.delete(task.id);
    if (namespace === undefined) return;
    namespaces.showRequests(namespace, task.result?.errors?.[0]);
    await namespaces.end(namespace);
  });
  afterAll(() => namespaces.close());
  return () => {
    const [namespace, ...others] = running.values();
    if (namespace === undefined)
      throw new Error(
        "useDataService(): no test is running. Ask for the namespace in a test or in `beforeEach`.",
      );
    if (others.length > 0)
      throw new Error(
        "useDataService(): several tests are running concurrently, so the namespace of this one is unknown. " +
          "Concurrent tests take `dataService` from `test` of data-service-emulator/vitest.",
      );
    return namespace;
  };
}
