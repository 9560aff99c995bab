import { expect, it } from "vitest";
import { startOnce } from "./start-once.js";

it("starts once for concurrent and later calls, and again after a failure", async () => {
  const started: { work?: Promise<number> } = {};
  let starts = 0;
  const getResult = () =>
    startOnce(started, "work", async () => {
      await Promise.resolve();
      if (++starts === 1) throw new Error("failed");
      return starts;
    });
  const concurrent = await Promise.allSettled([getResult(), getResult()]);
  expect(concurrent.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([getResult(), getResult()])).toEqual([2, 2]);
  expect(await getResult()).toBe(2);
});
