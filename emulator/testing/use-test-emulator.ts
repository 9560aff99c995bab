import { afterAll, beforeAll } from "vitest";
import { createTestEmulator, type TestEmulator } from "./test-client.js";

/** Creates an emulator before the tests of a file or a `describe`, and closes it after them. */
export function useTestEmulator(options?: Parameters<typeof createTestEmulator>[0]): TestEmulator {
  const running = {} as TestEmulator;
  beforeAll(async () => Object.assign(running, await createTestEmulator(options)));
  afterAll(() => running.emulator.close());
  return running;
}
