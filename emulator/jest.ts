/** `data-service-emulator/jest`: a namespace for every Jest test, in the emulator started by `data-service exec -- jest`. */
import { randomUUID } from "node:crypto";
import type { ResultForReceiver } from "./api/connect.js";
import { type ForkingTest, ownForks } from "./api/own-forks.js";
import { receivedRequestMatchers, type ReceivedRequestMatchers } from "./api/received-matchers.js";
import { connectEmulator, type RemoteEmulator, type RemoteNamespace } from "./connect.js";

export type { ExpectedRequest } from "./api/received-matchers.js";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- declared by @types/jest
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface Matchers<R, T = {}> extends ReceivedRequestMatchers<ResultForReceiver<T, R>> {}
  }
}

// the `expect` of @jest/globals; declarations, unlike sources, may augment a module that is not installed
// @ts-expect-error Jest is not installed here
declare module "expect" {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ReceivedRequestMatchers<
    ResultForReceiver<T, R>
  > {}
}

/** The globals that Jest defines in a test file. */
interface JestGlobals {
  readonly expect: {
    readonly extend: (matchers: object) => void;
    /**
     * In a test of `test.concurrent`, `currentConcurrentTestName` returns the name of this test, and `currentTestName` is
     * the name of another test. Old versions of Jest do not have `currentConcurrentTestName`.
     */
    readonly getState: () => {
      readonly currentTestName?: string;
      readonly currentConcurrentTestName?: () => string | undefined;
    };
  };
  readonly beforeEach: (hook: () => Promise<void>) => void;
  readonly afterEach: (hook: () => Promise<void>) => void;
}

/** After an interrupted run, the emulator deletes a namespace that was not used for this time, in seconds. */
const idleSeconds = 3600;

/**
 * Gives a namespace to every test of the file or `describe` in which it is called, and deletes it and its forks after the
 * test.
 * `expect(dataService()).toHaveReceived(…)` and `toHaveReceivedTimes(…)` return promises. For tests of `test.concurrent`,
 * use `connectEmulator()` and its `namespace(name)` instead.
 *
 *     const dataService = useDataService();
 *     test("answers", async () => {
 *       expect((await dataService().fetch("/health")).status).toBe(200);
 *     });
 *
 * @param url base URL of the emulator (default: `DATA_SERVICE_URL`)
 */
export function useDataService(url = process.env.DATA_SERVICE_URL): () => RemoteNamespace {
  const { afterEach, beforeEach, expect } = globalThis as unknown as JestGlobals;
  if (url === undefined)
    throw new Error("useDataService(): DATA_SERVICE_URL is not set. Run `npx data-service exec -- jest`.");
  expect.extend(receivedRequestMatchers);
  let emulator: RemoteEmulator | undefined;
  let test: ForkingTest<RemoteNamespace> | undefined;
  beforeEach(async () => {
    emulator ??= await connectEmulator(url);
    // Another run may use the emulator at the same time, and a late request must not reach the next test.
    const name = `jest-${randomUUID()}`;
    await emulator.namespaces.set(name, { idleSeconds });
    test = ownForks(emulator.namespace(name));
  });
  afterEach(async () => {
    if (test === undefined) return;
    const { namespace, forks } = test;
    test.hasEnded = true;
    test = undefined;
    // The test may have deleted them already.
    for (const { name } of (await emulator?.namespaces.list()) ?? [])
      if (name === namespace.name || forks.includes(name)) await emulator?.namespaces.delete(name);
  });
  return () => {
    const { currentTestName, currentConcurrentTestName } = expect.getState();
    const isConcurrent = ![undefined, currentTestName].includes(currentConcurrentTestName?.());
    if (test !== undefined && !isConcurrent) return test.namespace;
    throw new Error(
      "useDataService(): no test with a namespace is running. Get the namespace in a test or in `beforeEach`. " +
        "Jest runs no hooks for `test.concurrent`: call connectEmulator() there, and give each test its own namespace.",
    );
  };
}
