import { afterEach, expect, it, vi } from "vitest";
import { createEmulator } from "./api/emulator.js";
import { useDataService } from "./jest.js";

afterEach(() => vi.unstubAllGlobals());

it("does not show the first test what an interrupted run left behind", async () => {
  const emulator = await createEmulator();
  const url = await emulator.listen();
  const start = async () => {
    let before = () => Promise.resolve();
    vi.stubGlobal("expect", { extend: () => undefined });
    vi.stubGlobal("beforeEach", (hook: typeof before) => (before = hook));
    vi.stubGlobal("afterEach", () => undefined);
    const dataService = useDataService(url);
    await before();
    return dataService();
  };
  const left = await start();
  const fresh = await left.state();
  await left.users.create({ email: "left@x.test", password: "p" });
  await left.clock.advance("P3D");
  expect(await (await start()).state()).toEqual(fresh);
  await emulator.close();
});
