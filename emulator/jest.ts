/** `data-service-emulator/jest`: a namespace for every Jest test, in the emulator started by `data-service exec -- jest`. */
import type { ResultForReceiver } from "./api/connect.js";
import { receivedRequestMatchers, type ReceivedRequestMatchers } from "./api/received-matchers.js";
import { connectEmulator, type RemoteNamespace } from "./connect.js";

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
  readonly expect: { readonly extend: (matchers: object) => void };
  readonly beforeEach: (hook: () => Promise<void>) => void;
  readonly afterEach: (hook: () => Promise<void>) => void;
}

/**
 * Gives a namespace to every test of the file or `describe` in which it is called. Each worker uses one namespace, which
 * is deleted after each test. `expect(dataService()).toHaveReceived(…)` and `toHaveReceivedTimes(…)` return promises.
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
  let namespace: RemoteNamespace | undefined;
  const name = `jest-${process.env.JEST_WORKER_ID ?? "1"}`;
  beforeEach(async () => {
    const emulator = await connectEmulator(url);
    // An interrupted run does not delete its namespace.
    const exists = (await emulator.namespaces.list()).some((one) => one.name === name);
    if (exists) await emulator.namespaces.delete(name);
    await emulator.namespaces.set(name, { idleSeconds: null });
    namespace = emulator.namespace(name);
  });
  afterEach(async () => {
    namespace = undefined;
    await (await connectEmulator(url)).namespaces.delete(name);
  });
  return () => {
    if (namespace === undefined)
      throw new Error(
        "useDataService(): no test is running. Get the namespace in a test or in `beforeEach`.",
      );
    return namespace;
  };
}
