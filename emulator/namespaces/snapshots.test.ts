import { expect, it } from "vitest";
import { emulatorLimits } from "../memory/limits.js";
import { Snapshots } from "./snapshots.js";

const snapshot = (name: string, length: number) => ({
  name,
  bytes: new Uint8Array(length),
  fixture: "demo" as const,
  clock: { mode: "manual" as const, now: 0 },
});

it("the snapshots of all namespaces together have a bounded size", () => {
  const budget = { used: emulatorLimits.snapshotBytes - 100 };
  const [one, other] = [new Snapshots(budget), new Snapshots(budget)];
  one.put(snapshot("a", 60));
  other.put(snapshot("a", 40));
  expect(() => other.put(snapshot("b", 1))).toThrow(/together may have 1073741824 bytes.*Delete some/);
  // what is replaced or deleted makes room
  one.put(snapshot("a", 59));
  other.put(snapshot("b", 1));
  one.clear();
  other.put(snapshot("b", 60));
  other.delete("a");
  expect(budget.used).toBe(emulatorLimits.snapshotBytes - 100 + 60);
  expect(other.list().map(({ name }) => name)).toEqual(["b"]);
});
