import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // examples import the package by its name
    alias: [
      { find: /^data-service-emulator$/, replacement: source("emulator/index.ts") },
      { find: /^data-service-emulator\/connect$/, replacement: source("emulator/connect.ts") },
      { find: /^data-service-emulator\/vitest$/, replacement: source("emulator/vitest.ts") },
    ],
  },
  test: {
    include: ["{openapi,fixtures,emulator,conformance,scripts}/**/*.test.ts"],
    globalSetup: "scripts/acceptance/testing/build-once.ts",
    // a test that hangs is ended; one on a busy machine is not
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // processes, because some tests measure the CPU time of their own work
    pool: "forks",
    // modules, compiled schemas and starting states are made once a process: no test changes what others see of them
    isolate: false,
    // what was transformed once is read by the next run: to transform all of it takes longer than most files of tests
    experimental: { fsModuleCache: true },
    // Vitest would leave a core free, which on two cores is half of them
    maxWorkers: "100%",
  },
});
