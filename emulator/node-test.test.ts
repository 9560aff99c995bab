import { expect, it } from "vitest";
import { createEmulator } from "./index.js";
import { assertReceived } from "./node-test.js";

it("asserts that requests were received, how often, or not at all", async () => {
  const emulator = await createEmulator();
  expect(() => assertReceived(emulator, "getHealth")).toThrow("received no request");
  assertReceived(emulator, "getHealth", {}, 0);
  await emulator.fetch("/health");
  await emulator.fetch("/health?a=1");
  assertReceived(emulator, "getHealth");
  assertReceived(emulator, "getHealth", {}, 2);
  assertReceived(emulator, "getHealth", { query: { a: "1" } }, 1);
  expect(() => assertReceived(emulator, "getHealth", {}, 0)).toThrow(
    "expected namespace default to have received getHealth 0 times; it received 2 getHealth requests",
  );
  expect(() => assertReceived(emulator, "getHealths" as "getHealth", {}, 0)).toThrow("must be one of");
  await emulator.close();
});
