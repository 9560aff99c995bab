/** `data-service-emulator/vitest`: a namespace for every test. Only this file imports Vitest. */
import type * as Vitest from "vitest";
import type { ResultForReceiver } from "./api/connect.js";
import type { EmulatorNamespace } from "./api/emulator-namespace.js";
import {
  type ExpectedRequest,
  receivedRequestMatchers,
  type ReceivedRequestMatchers,
} from "./api/received-matchers.js";
import { type DataServiceOptions, TestNamespaces } from "./api/test-namespaces.js";

export type { DataServiceOptions, ExpectedRequest };

declare module "vitest" {
  // the type parameters must match Vitest's; the matchers return promises for a namespace over HTTP
  // eslint-disable-next-line @typescript-eslint/no-explicit-any, @typescript-eslint/no-empty-object-type
  interface Matchers<T = any> extends ReceivedRequestMatchers<ResultForReceiver<T, void>> {}
}

/** Undefined outside Vitest, so that files such as a shared configuration can import this module. */
const running = "__vitest_worker__" in globalThis ? await import("vitest") : undefined;

running?.expect.extend(receivedRequestMatchers as never);

function requireVitest(): typeof Vitest {
  if (running === undefined)
    throw new Error("data-service-emulator/vitest works only in files that Vitest runs");
  return running;
}

/** The fixtures in the context of a test. */
export interface DataServiceFixtures {
  /** The namespace of the test, deleted after the test. */
  readonly dataService: EmulatorNamespace;
  /** Base URL of the namespace, for clients that need one. Using it makes the emulator listen on a free port. */
  readonly dataServiceUrl: string;
}

/**
 * Creates a Vitest `test` that gives each test its own namespace as `dataService`, also in concurrent tests
 * (`test.concurrent`). The emulator starts when the first test uses it.
 *
 *     const test = dataServiceTest({ fixture: "empty" });
 *     test("has no databases", ({ dataService }) => {
 *       expect(dataService.state().counts.databases).toBe(0);
 *     });
 */
export function dataServiceTest(options: DataServiceOptions = {}) {
  const { afterAll, test: vitestTest } = requireVitest();
  const namespaces = new TestNamespaces(options);
  afterAll(() => namespaces.close());
  return vitestTest.extend<DataServiceFixtures>({
    dataService: async ({ task }, use) => {
      const getError = watchErrors(task);
      await use(await namespaces.begin(task, task.name));
      await namespaces.end(task, getError());
    },
    dataServiceUrl: async ({ dataService }, use) => {
      await use(await namespaces.urlOf(dataService));
    },
  });
}

/** Returns a function that returns the first error of this attempt; the errors of earlier attempts come before it. */
function watchErrors(task: Vitest.TestContext["task"]): () => Vitest.TestError | undefined {
  const earlier = task.result?.errors?.length ?? 0;
  return () => task.result?.errors?.[earlier];
}

/** Vitest's `test` with the default options of {@link dataServiceTest}: every test starts with the fixture `demo`. */
export const test: ReturnType<typeof dataServiceTest> =
  running === undefined ? createUnavailableTest() : dataServiceTest();

/** Stands in for `test` outside Vitest: any use throws an error with the reason. */
function createUnavailableTest() {
  const refuse = () => requireVitest() as never;
  return new Proxy(refuse, { get: refuse }) as unknown as ReturnType<typeof dataServiceTest>;
}

/** Options of {@link useDataService}. */
export interface DataServiceHookOptions extends DataServiceOptions {
  /** Whether the emulator listens on a port, so that namespaces have a `url` (default false). */
  readonly listen?: boolean;
}

/**
 * For suites that keep Vitest's own `test`: gives a namespace to every test of the file or `describe` in which it is
 * called. Returns a function that returns the namespace of the running test, and throws if several tests run
 * concurrently.
 *
 *     const dataService = useDataService();
 *     test("answers", async () => {
 *       expect((await dataService().fetch("/health")).status).toBe(200);
 *     });
 */
export function useDataService(options: DataServiceHookOptions = {}): () => EmulatorNamespace {
  const { afterAll, beforeEach } = requireVitest();
  const { listen = false, ...emulatorOptions } = options;
  const namespaces = new TestNamespaces(emulatorOptions);
  beforeEach(async ({ task }) => {
    const getError = watchErrors(task);
    const namespace = await namespaces.begin(task, task.name);
    if (listen) await namespaces.urlOf(namespace);
    return () => namespaces.end(task, getError());
  });
  afterAll(() => namespaces.close());
  return () =>
    namespaces.getOnly(
      "For concurrent tests, use the `test` exported by data-service-emulator/vitest, which provides `dataService`.",
    );
}
