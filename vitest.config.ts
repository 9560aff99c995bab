import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{openapi,fixtures,emulator,conformance,scripts}/**/*.test.ts"],
    testTimeout: 30_000,
    pool: "threads",
    // Vitest would leave a core free, which on two cores is half of them
    maxWorkers: "100%",
  },
});
