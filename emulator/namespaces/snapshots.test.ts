import { expect, it } from "vitest";
import { loadSqlite } from "../sqlite/sqlite.js";
import { MemoryBudget } from "../store/memory-budget.js";
import { Snapshots } from "./snapshots.js";

const snapshot = (name: string, length: number) => ({
  name,
  bytes: new Uint8Array(length),
  fixture: "demo" as const,
  clock: { mode: "manual" as const, now: 0 },
});

it("the snapshots of all namespaces together have a bounded size", async () => {
  const budget = new MemoryBudget(await loadSqlite(), 100);
  const [one, other] = [new Snapshots(budget), new Snapshots(budget)];
  one.put(snapshot("a", 60));
  other.put(snapshot("a", 40));
  expect(() => other.put(snapshot("b", 1))).toThrow(/Reset or delete namespaces, or delete snapshots/);
  // replacing or deleting a snapshot frees its memory
  one.put(snapshot("a", 59));
  other.put(snapshot("b", 1));
  expect(() => other.put(snapshot("c", 1))).toThrow();
  one.clear();
  other.put(snapshot("b", 60));
  other.delete("a");
  expect(() => other.put(snapshot("c", 41))).toThrow();
  other.put(snapshot("c", 40));
  expect(other.list().map(({ name }) => name)).toEqual(["b", "c"]);
});
