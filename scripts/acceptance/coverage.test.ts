import { afterAll, beforeAll, expect, it } from "vitest";
import { installPackage, type PackageInstallation } from "./testing/package-installation.js";

/* Tests coverage as users see it: with several Vitest workers, and with the command. */

let project: PackageInstallation;
beforeAll(() => {
  project = installPackage();
});
afterAll(() => project.remove());

const vitest = "node node_modules/vitest/vitest.mjs run --no-color";

function writeTest(name: string, path: string): void {
  project.write(
    `${name}.test.ts`,
    `import { test } from "data-service-emulator/vitest";
     import { expect } from "vitest";
     test("${name}", async ({ dataService }) => {
       const headers = { Authorization: "Bearer dsk_demo_all" };
       const path = "/api/v1/databases/db_demo/items/settings/${path}";
       expect((await dataService.fetch(path, { headers })).status).toBeGreaterThan(0);
     });`,
  );
}

function configure(options: object): void {
  project.write(
    "vitest.config.ts",
    `export default { test: {
       maxWorkers: 2,
       reporters: ["default", ["data-service-emulator/vitest-reporter", ${JSON.stringify(options)}]],
     } };`,
  );
}

it("merges the coverage of the workers of Vitest, and fails below a threshold", async () => {
  writeTest("found", "currency");
  writeTest("missing", "language");
  configure({ ignore: ["Billing"] });
  const text = (await project.run(vitest, { CI: "true" })).join("\n");
  expect(text).toMatch(/Contract coverage\noperations +1 of \d+ +1%\nsuccesses +1 of \d+/);
  expect(text).toMatch(/refusals +1 of \d+/);
  const merged = await project.run("npx data-service coverage merge coverage/data-service --json");
  const { situations } = JSON.parse(merged.join("\n")) as {
    situations: { id: string; state: string }[];
  };
  expect(situations.filter(({ state }) => state === "met").map(({ id }) => id)).toEqual([
    "getItemWithSortKey@api-key",
    "getItemWithSortKey:success",
    "getItemWithSortKey:item-not-found",
  ]);
  configure({ min: { refusals: 2 } });
  const failed = await project.run(`${vitest} 2>&1 || echo "exit code $?"`, { CI: "true" });
  expect(failed.join("\n")).toContain("refusals: 0% covered, but 2% required");
  expect(failed.at(-1)).toBe("exit code 1");
  for (const [options, message] of [
    [{ min: { operation: 5 } }, "min.operation must be a percentage; the groups are operations, successes"],
    [{ ignore: ["Sessions"] }, 'ignore: "Sessions" is not a situation id, operation or area'],
  ] as const) {
    configure(options);
    const rejected = await project.run(`${vitest} 2>&1 || echo "exit code $?"`, { CI: "true" });
    expect(rejected.join("\n")).toContain(`coverage reporter: ${message}`);
    expect(rejected.join("\n")).not.toContain("Test Files");
  }
});

it("reports the coverage of a running emulator as text, Markdown and HTML, with thresholds", async () => {
  const { url, stop } = await project.start("npx data-service start --port 0");
  await fetch(`${url}/health`);
  const report = (options: string) =>
    project.run(`npx data-service coverage ${url} ${options} 2>&1 || echo "exit code $?"`);
  expect((await report("--html page.html")).join("\n")).toMatch(/operations +1 of \d+/);
  expect((await report("--markdown")).join("\n")).toContain("| operations | 1 of ");
  expect((await report("--min operations=50")).at(-1)).toBe("exit code 1");
  expect((await report("--min operation=50")).join("\n")).toContain(
    "--min operation=50: expected GROUP=PERCENT",
  );
  expect((await report("--ignore nothing")).at(-1)).toBe("exit code 2");
  expect((await project.run("grep -c getItemWithSortKey:item-not-found page.html")).join("")).not.toBe("0");
  await stop();
});
