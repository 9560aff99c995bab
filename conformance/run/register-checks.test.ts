import { expect, it } from "vitest";
import { beginRun, registerChecks } from "./register-checks.js";

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

it("registers tests without parameters, which Jest would take for callbacks, and with readable titles", () => {
  const tests: { readonly title: string; readonly parameters: number }[] = [];
  const ignore = () => undefined;
  registerChecks(
    {
      describe: (_title, body) => body(),
      it: (title, body) => tests.push({ title, parameters: body.length }),
      beforeAll: ignore,
      afterAll: ignore,
    },
    () => Promise.reject(new Error("nothing is run")),
  );
  expect(tests.map(({ parameters }) => parameters).filter((count) => count > 0)).toEqual([]);
  expect(tests.map(({ title }) => title)).toContain("The owner can log in");
  expect(tests.filter(({ title }) => title.endsWith("()"))).toEqual([]);
});
