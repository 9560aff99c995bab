import { expect, it, vi } from "vitest";
import { runUntilStopped } from "./run-until-stopped.js";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const countListeners = () => signals.map((signal) => process.listenerCount(signal));

it.each([
  [true, [1, 1, 1]],
  [false, [1, 1, 0]],
])("saves when the terminal is closed, if there is one: %s", (isTerminal, expected) => {
  const before = countListeners();
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, isTTY: stream.isTTY }));
  for (const { stream } of streams) stream.isTTY = isTerminal;
  const stop = runUntilStopped({ stopListening: () => new Promise(() => undefined) }, save, () => undefined);
  try {
    expect(countListeners().map((count, at) => count - (before[at] ?? 0))).toEqual(expected);
    if (isTerminal) process.emit("SIGHUP");
    expect(save).toHaveBeenCalledTimes(isTerminal ? 1 : 0);
  } finally {
    for (const { stream, isTTY } of streams) stream.isTTY = isTTY;
    for (const signal of signals) process.off(signal, stop);
    save.mockClear();
  }
});

const save = vi.fn(() => true);
