/** Configuration for the small test suite of the benchmark, with the built package. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: { include: ["small-suite.vitest.mjs"] },
});
