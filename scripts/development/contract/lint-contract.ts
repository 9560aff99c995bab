/** Lints the public document with Redocly and Spectral, and the open document with Redocly. Fails if there is any finding. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { buildOpenDocument } from "../../../openapi/document/document.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const published = "openapi/openapi.json";
const open = "dist/cache/openapi.open.json";
mkdirSync(`${root}dist/cache`, { recursive: true });
writeFileSync(`${root}${open}`, JSON.stringify(buildOpenDocument(), null, 2));

const require = createRequire(import.meta.url);
const linters = [
  [require.resolve("@redocly/cli/bin/cli.js"), "lint", published, open],
  [require.resolve("@stoplight/spectral-cli"), "lint", "--fail-severity=hint", published],
];

// the linters run concurrently, because their output consists of independent lines
for (const linter of linters) {
  const running = spawn(process.execPath, linter, {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_NOTIFICATIONS: "true",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
  });
  void once(running, "close").then(([status]) => {
    if (status !== 0) process.exitCode = 1;
  });
}
