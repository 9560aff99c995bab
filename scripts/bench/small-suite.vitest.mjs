import { test } from "../../dist/vitest.js";
import { amountOfTests, runTest } from "./small-suite.mjs";

for (let n = 0; n < amountOfTests; n += 1)
  test(`test ${n}`, ({ dataService }) => runTest((path, init) => dataService.fetch(path, init)));
