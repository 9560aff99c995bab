import { expect, it } from "vitest";
import { openTarget, type TargetChoice } from "./open-target.js";

it("needs either an emulator or a target file", async () => {
  // @ts-expect-error -- neither is given
  const neither: TargetChoice = { title: "orders" };
  // @ts-expect-error -- both are given
  const both: TargetChoice = { emulator: "http://127.0.0.1:4100", target: "target.json" };
  // @ts-expect-error -- the URL of an emulator is its base URL
  const twoUrls: TargetChoice = { emulator: "http://127.0.0.1:4100", url: "http://127.0.0.1:4200" };
  expect([both, twoUrls]).toHaveLength(2);
  await expect(openTarget(neither, "run")).rejects.toThrow("specify an emulator or a target file");
});
