import { expect, it } from "vitest";
import { beginRun } from "./register-checks.js";

it.each([
  { runs: 0 },
  { runs: -1 },
  { runs: 1.5 },
  { runs: NaN },
  { seed: -1 },
  { seed: 1.5 },
  { seed: NaN },
])("a run refuses %o", async (options) => {
  const run = beginRun({ emulator: "http://127.0.0.1:9", ...options });
  await expect(run).rejects.toThrow(/^(?:seed|runs) must be a whole number of at least [01], not /);
});
