import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // the examples import the package by its name
    alias: [
      { find: /^data-service-emulator$/, replacement: source("emulator/index.ts") },
      { find: /^data-service-emulator\/connect$/, replacement: source("emulator/connect.ts") },
      { find: /^data-service-emulator\/vitest$/, replacement: source("emulator/vitest.ts") },
    ],
  },
  test: {
    include: ["{openapi,fixtures,emulator,conformance,scripts}/**/*.test.ts"],
    globalSetup: "scripts/acceptance/testing/build-once.ts",
    // long enough for a busy machine; ends only tests that hang
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // run tests in processes, because some tests measure the CPU time of their process
    pool: "forks",
    // load modules, compile schemas and create starting states once per process: no test changes them for other tests
    isolate: false,
    // cache transformed files between runs, because transforming all of them takes longer than most test files
    experimental: { fsModuleCache: true },
    // by default, Vitest leaves one core unused, which is half of a two-core machine
    maxWorkers: "100%",
  },
});
