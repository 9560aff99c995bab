/**
 * Runs Jest's example of the guide "In your test suite" in a project that has the built package: `npm run jest` installs Jest
 * first.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const root = here("../..");
const guide = readFileSync(join(root, "emulator/guides/test-suites.md"), "utf8");
const example = /<!-- example: orders\.jest\.js -->\s+```js\n(.*?)```/s.exec(guide)?.[1];
if (example === undefined) throw new Error("the guide has no example named orders.jest.js");
const project = mkdtempSync(here("project-"));
try {
  mkdirSync(join(project, "node_modules"));
  symlinkSync(root, join(project, "node_modules/data-service-emulator"));
  writeFileSync(join(project, "orders.jest.js"), example);
  writeFileSync(join(project, "jest.config.cjs"), 'module.exports = { testMatch: ["**/*.jest.js"] };');
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  const jest = [
    join(root, "dist/cli.js"),
    "exec",
    "--",
    process.execPath,
    here("node_modules/jest/bin/jest.js"),
  ];
  process.exitCode = spawnSync(process.execPath, jest, { cwd: project, stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}
