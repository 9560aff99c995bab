import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { prepareTarget } from "../development/observe/prepare-target.js";

const hourMs = 3_600_000;
let emulator: Emulator;
beforeEach(async () => {
  emulator = await createEmulator();
  // the expiry of namespaces uses the machine's timers
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await emulator.close();
});

it("a killed run leaves no namespace behind for long", async () => {
  const url = "http://localhost";
  const target = await createEmulatorTarget({ url, fetch: emulator.fetch, run: "killed" });
  await prepareTarget(target, "killed");
  expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default", "certify-killed"]);
  vi.advanceTimersByTime(2 * hourMs);
  expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default"]);
});
