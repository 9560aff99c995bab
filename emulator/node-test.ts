/** `data-service-emulator/node-test`: a world of its own for every test of node:test. */
import assert from "node:assert/strict";
import { after, afterEach, beforeEach } from "node:test";
import type { OperationId } from "../openapi/operations/register.js";
import type { EmulatorNamespace } from "./api/emulator-namespace.js";
import { type ExpectedRequest, findReceived } from "./api/received-matchers.js";
import { type DataServiceOptions, TestWorlds } from "./api/test-worlds.js";

export type { DataServiceOptions, ExpectedRequest };

/**
 * Called in a file or a `describe`, it gives every test there a world. The function that it returns gives the world of the
 * running test; concurrent tests use namespaces of `createEmulator()` instead.
 *
 *     const dataService = useDataService();
 *     test("answers", async () => {
 *       assert.equal((await dataService().fetch("/health")).status, 200);
 *     });
 */
export function useDataService(options: DataServiceOptions = {}): () => EmulatorNamespace {
  const worlds = new TestWorlds(options);
  let world: EmulatorNamespace | undefined;
  beforeEach(async (test) => {
    assert.equal(world, undefined, "useDataService(): several tests are running; see its documentation");
    world = await worlds.begin("name" in test ? test.name : "test");
  });
  afterEach(async () => {
    const ended = world;
    world = undefined;
    if (ended !== undefined) await worlds.end(ended);
  });
  after(() => worlds.close());
  return () => {
    assert.ok(world, "useDataService(): no test is running. Ask for the world in a test or in `beforeEach`.");
    return world;
  };
}

/**
 * Asserts that a world has received a request of an operation, with the given fields at least.
 *
 * @throws AssertionError with the closest request
 */
export function assertReceived(
  { name, journal }: EmulatorNamespace,
  operationId: OperationId,
  expected: ExpectedRequest = {},
): void {
  const { count, description, nearest } = findReceived(journal.requests(), operationId, expected);
  if (count > 0) return;
  throw new assert.AssertionError({
    message: `expected namespace ${name} to have received ${operationId}; ${description}`,
    actual: nearest,
    expected,
    operator: "assertReceived",
    stackStartFn: assertReceived,
  });
}
