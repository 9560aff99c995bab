import { expect } from "vitest";
import { test } from "../../dist/vitest.js";
import { amountOfTests, requestsOfTest } from "./small-suite.mjs";

for (let n = 0; n < amountOfTests; n += 1)
  test(`test ${n}`, async ({ dataService }) => {
    for (const [{ path, ...init }, status] of requestsOfTest()) {
      const answer = await dataService.fetch(path, init);
      await answer.text();
      expect(answer.status).toBe(status);
    }
  });
