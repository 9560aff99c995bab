import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{openapi,fixtures,emulator,conformance,scripts}/**/*.test.ts"],
    testTimeout: 30_000,
    pool: "threads",
  },
});
