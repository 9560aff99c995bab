/** `data-service-emulator/node-test`: a namespace for every node:test test. */
import assert from "node:assert/strict";
import { after, afterEach, beforeEach } from "node:test";
import type { OperationId } from "../openapi/operations/register.js";
import type { EmulatorNamespace } from "./api/emulator-namespace.js";
import {
  type ExpectedRequest,
  matchReceivedRequests,
  readReceivedRequests,
} from "./api/received-matchers.js";
import { type DataServiceOptions, TestNamespaces } from "./api/test-namespaces.js";

export type { DataServiceOptions, ExpectedRequest };

/**
 * Gives a namespace to every test of the file or `describe` in which it is called. Returns a function that returns the
 * namespace of the running test. For concurrent tests, use `createEmulator()` and its `namespace(name)` instead.
 *
 *     const dataService = useDataService();
 *     test("answers", async () => {
 *       assert.equal((await dataService().fetch("/health")).status, 200);
 *     });
 */
export function useDataService(options: DataServiceOptions = {}): () => EmulatorNamespace {
  const namespaces = new TestNamespaces(options);
  beforeEach(async (test) => {
    await namespaces.begin(test, test.name);
  });
  afterEach((test) => namespaces.end(test, getShownError((test as FailedTest).error)));
  after(() => namespaces.close());
  return () =>
    namespaces.getOnly(
      "Concurrent tests and subtests are not supported here. Instead, call createEmulator() and give each of them its own namespace.",
    );
}

/** The types of Node 20 do not declare the error of a failed test. */
interface FailedTest {
  readonly error?: Error | null;
}

/** Returns what node:test prints, which is the cause: what the test threw, or a text if the test took too long. */
function getShownError(failure: FailedTest["error"]): Error | undefined {
  if (typeof failure?.cause === "string")
    failure.cause = Object.assign(new Error(failure.cause), { stack: failure.cause });
  return failure?.cause as Error | undefined;
}

/**
 * Asserts that a namespace has received at least one request with the expected fields for an operation.
 *
 * @param times the exact number of such requests; 0 asserts that there was none
 * @throws AssertionError with the closest request
 */
export function assertReceived(
  namespace: EmulatorNamespace,
  operationId: OperationId,
  expected: ExpectedRequest = {},
  times?: number,
): void {
  const received = readReceivedRequests(namespace, operationId);
  const { pass, wanted, description, nearest } = matchReceivedRequests(received, {
    operationId,
    expected,
    times,
  });
  if (pass) return;
  throw new assert.AssertionError({
    message: `expected namespace ${namespace.name} to have received ${wanted}; ${description}`,
    actual: nearest,
    expected,
    operator: "assertReceived",
    stackStartFn: assertReceived,
  });
}
