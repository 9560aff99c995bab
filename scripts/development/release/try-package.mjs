/** Installs a tarball of the package in an empty folder and uses it like a new user: try-package.mjs TARBALL */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const tarball = resolve(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "try-package-"));
const currency = "/api/v1/databases/db_demo/items/settings/currency";

try {
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", "install", "--no-audit", "--no-fund", tarball);
  writeFileSync(
    join(folder, "library.js"),
    `import { createEmulator } from "data-service-emulator";
const emulator = await createEmulator();
const answer = await emulator.fetch("${currency}", { headers: { Authorization: "Bearer dsk_demo_all" } });
if ((await answer.json()).data.code !== "EUR") throw new Error("the library answers something else");
`,
  );
  run(process.execPath, "library.js");
  writeFileSync(
    join(folder, "client.js"),
    `const answer = await fetch(process.env.DATA_SERVICE_URL + "${currency}", {
  headers: { Authorization: "Bearer " + process.env.DATA_SERVICE_API_KEY },
});
if ((await answer.json()).data.code !== "EUR") throw new Error("the command answers something else");
`,
  );
  run("npx", "data-service", "exec", "--", "node", "client.js");
  run("npx", "data-service", "contract");
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string} command @param {string[]} words */
function run(command, ...words) {
  process.stdout.write(`${[command, ...words].join(" ")}\n`);
  execFileSync(command, words, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}
