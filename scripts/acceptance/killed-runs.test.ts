import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Client } from "../../conformance/client/client.js";
import { openContract } from "../../conformance/client/contracts.js";
import { Recorder } from "../../conformance/client/recorder.js";
import { Routes } from "../../conformance/client/routes.js";
import { Secrets } from "../../conformance/client/secrets.js";
import { emulatorTarget } from "../../conformance/target/emulator-target.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";

const hourMs = 3_600_000;
let emulator: Emulator;
beforeEach(async () => {
  emulator = await createEmulator();
  // worlds go by the machine's time
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await emulator.close();
});

it("a run that is killed leaves no world behind for long, nor do its observers", async () => {
  const url = "http://localhost";
  const target = await emulatorTarget({ url, fetch: emulator.fetch, run: "killed" });
  const open = openContract();
  const secrets = new Secrets();
  const client = new Client({
    ...target,
    open,
    routes: new Routes(open.document, target.known),
    recorder: new Recorder(),
    secrets,
    deadline: () => Infinity,
  });
  const ledger = Ledger.begin("killed", target.baseUrl);
  const { forObservers } = await target.prepare({ client, ledger, secrets, forget: () => undefined });
  await forObservers?.();
  expect(emulator.namespaces.list().map(({ name }) => name)).toEqual([
    "default",
    "certify-killed",
    "certify-killed-dead",
  ]);
  vi.advanceTimersByTime(2 * hourMs);
  expect(emulator.namespaces.list().map(({ name }) => name)).toEqual(["default"]);
});
