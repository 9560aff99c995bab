import { afterEach, expect, it, vi } from "vitest";
import { createEmulator } from "./api/emulator.js";
import type { RemoteNamespace } from "./connect.js";
import { useDataService } from "./jest.js";

afterEach(() => vi.unstubAllGlobals());

it("shows a test neither what an interrupted run left nor forks and late requests of the previous test", async () => {
  const emulator = await createEmulator();
  const url = await emulator.listen();
  /** Returns the state of a namespace without its name. */
  const readState = async (namespace: RemoteNamespace) => ({ ...(await namespace.state()), namespace: "" });
  const start = async () => {
    const hooks: (() => Promise<void>)[] = [];
    const addHook = (hook: () => Promise<void>) => hooks.push(hook);
    vi.stubGlobal("expect", { extend: () => undefined, getState: () => ({}) });
    vi.stubGlobal("beforeEach", addHook);
    vi.stubGlobal("afterEach", addHook);
    const dataService = useDataService(url);
    const [begin, end] = hooks;
    await begin?.();
    return { dataService, begin, end };
  };
  const interrupted = (await start()).dataService();
  const fresh = await readState(interrupted);
  await interrupted.users.create({ email: "left@x.test", password: "p" });
  await interrupted.clock.advance("P3D");
  const { dataService, begin, end } = await start();
  const first = dataService();
  expect(await readState(first)).toEqual(fresh);
  const fork = await first.fork("worker");
  expect(fork.name).toBe("worker");
  await first.fork("deleted");
  await first.fork("after");
  emulator.namespaces.delete("deleted");
  await end?.();
  for (const call of [fork.fetch("/health"), fork.clock.advance("1d"), fork.export()])
    await expect(call).rejects.toThrow("has ended");
  const left = emulator.namespaces.list().map(({ name }) => name);
  expect(left).toEqual(["default", interrupted.name]);
  await begin?.();
  await first.users.create({ email: "late@x.test", password: "p" });
  expect(await readState(dataService())).toEqual(fresh);
  await emulator.close();
});
