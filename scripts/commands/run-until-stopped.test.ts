import { isatty } from "node:tty";
import { expect, it, vi } from "vitest";

vi.mock("node:tty", () => ({ isatty: vi.fn() }));
// Another test file may have loaded the module, with the real `isatty`, in the same process.
vi.resetModules();
const { runUntilStopped } = await import("./run-until-stopped.js");

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const countListeners = () => signals.map((signal) => process.listenerCount(signal));

it.each([
  ["all streams", [0, 1, 2], [1, 1, 1]],
  ["only the input, as under `> file 2>&1`", [0], [1, 1, 1]],
  ["nothing, as under `nohup`", [], [1, 1, 0]],
])("saves when the terminal is closed, which has %s", (_title, ofTerminal: number[], expected) => {
  vi.mocked(isatty).mockImplementation((fd) => ofTerminal.includes(fd));
  const before = countListeners();
  const stop = runUntilStopped({ stopListening: () => new Promise(() => undefined) }, save, () => undefined);
  try {
    expect(countListeners().map((count, at) => count - (before[at] ?? 0))).toEqual(expected);
    if (ofTerminal.length > 0) process.emit("SIGHUP");
    expect(save).toHaveBeenCalledTimes(ofTerminal.length > 0 ? 1 : 0);
  } finally {
    for (const signal of signals) process.off(signal, stop);
    save.mockClear();
  }
});

const save = vi.fn(() => true);
