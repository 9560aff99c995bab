import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findChromium } from "../../emulator/console/testing/find-chromium.js";
import { installPackage, type PackageInstallation } from "./testing/package-installation.js";

/*
 * Tests behavior of the entry points for test runners that the examples in the guides do not show. scripts/jest tests
 * Jest.
 */

vi.setConfig({ testTimeout: 180_000 });

let project: PackageInstallation;
beforeAll(() => {
  project = installPackage();
}, 400_000);
afterAll(() => project.remove());

const shown = (request: string) => new RegExp(`The last requests to the data service:\n +${request}\n`);

/** Runs a command, and returns its output even if it fails. */
async function runEvenIfFailing(command: string): Promise<string> {
  return (await project.run(`${command} 2>&1 || true`, { CI: "true", NO_COLOR: "1" })).join("\n");
}

describe("node:test", () => {
  const begin = `
    import { useDataService } from "data-service-emulator/node-test";
    import assert from "node:assert/strict";
    import { describe, test } from "node:test";
  `;

  it("shows the last requests of a failed test, unless disabled", async () => {
    const failing = (options: string) => `${begin}
      const dataService = useDataService(${options});
      test("fails", async () => {
        await dataService().fetch("/health?a=1");
        assert.equal(1, 2);
      });
      test("takes too long", { timeout: 2000 }, async () => {
        await dataService().fetch("/health?a=2");
        await new Promise((resolve) => setTimeout(resolve, 4000));
      });
      test("passes", async () => {
        await dataService().fetch("/health?a=3");
      });`;
    project.write("node/shown.test.mjs", failing(""));
    project.write("node/hidden.test.mjs", failing("{ shownRequests: 0 }"));
    const [text, other] = await Promise.all(
      ["shown", "hidden"].map((name) =>
        runEvenIfFailing(`node --test --test-reporter=spec node/${name}.test.mjs`),
      ),
    );
    for (const number of [1, 2]) expect(text).toMatch(shown(`GET /health\\?a=${number} → 200`));
    expect(text).not.toContain("a=3 →");
    expect(other).toContain("✖ fails");
    expect(other).not.toContain("The last requests");
  });

  it("says that concurrent tests and subtests are not supported", async () => {
    project.write(
      "node/concurrent.test.mjs",
      `${begin}
      const dataService = useDataService();
      let running = 0;
      const use = async () => {
        running += 1;
        while (running < 2) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.throws(dataService, /Concurrent tests and subtests are not supported here/);
        running += 1;
        while (running < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      describe("suite", { concurrency: true }, () => {
        test("a", use);
        test("b", use);
      });
      test("outer", async (context) => {
        const { fetch } = dataService();
        await context.test("inner", async () => {
          assert.throws(dataService, /tests and subtests are not supported/);
          assert.equal((await fetch("/health")).status, 200);
        });
        assert.equal((await dataService().fetch("/health")).status, 200);
      });
      assert.throws(dataService, /no test is running/);`,
    );
    expect(await runEvenIfFailing("node --test --test-reporter=tap node/concurrent.test.mjs")).toContain(
      "# fail 0",
    );
  });
});

describe.skipIf(findChromium() === undefined && process.env.CI === undefined)("Playwright", () => {
  const page = (path: string) => `<p>Loading…</p><script>
    const show = (text) => (document.querySelector("p").textContent = text);
    fetch("https://api.shop.example${path}").then(({ status }) => show(status), () => show("failed"));
  </script>`;
  const begin = `
    import { expect, test } from "data-service-emulator/playwright";
    test.use({ serviceUrl: "https://api.shop.example" });
    const health = ${JSON.stringify(page("/health?a=1"))};`;
  const play = (name: string, tests: string) => {
    const launchOptions = { executablePath: findChromium(), args: ["--no-sandbox"] };
    const config = { testMatch: "*.spec.ts", reporter: "line", workers: 1, use: { launchOptions } };
    project.write(`${name}/playwright.config.mjs`, `export default ${JSON.stringify(config)};`);
    project.write(`${name}/a.spec.ts`, begin + tests);
    return runEvenIfFailing(
      `node node_modules/@playwright/test/cli.js test --config ${name}/playwright.config.mjs`,
    );
  };

  it("routes requests of pages, breaks those that fault rules cut, and ends tests with pending ones", async () => {
    const text = await play(
      "routed",
      `test("routed without dataService", async ({ page }) => {
        await page.setContent(health);
        await expect(page.locator("p")).toHaveText("200");
      });
      for (const kind of ["drop", "truncate"])
        test(kind, async ({ page, dataService }) => {
          dataService.faults.create({ effect: { kind } });
          await page.setContent(health);
          await expect(page.locator("p")).toHaveText("failed");
        });
      for (const way of ["the end", "a closed page", "the next test"])
        test(way, async ({ page, dataService }) => {
          dataService.faults.create({ effect: { kind: "latency", delayMs: 2000 } });
          await page.setContent(health);
          await expect.poll(() => dataService.faults.list()[0].fired).toBe(1);
          await expect(page.locator("p")).toHaveText("Loading…");
          if (way === "a closed page") await page.close();
        });`,
    );
    expect(text).toContain("6 passed");
  });

  it("says that a service URL has no scheme, and matches URLs as browsers spell them", async () => {
    const text = await play(
      "spelled",
      `test.describe(() => {
        test.use({ serviceUrl: "HTTPS://api.shop.example:443/" });
        test("port", async ({ page }) => {
          await page.setContent(health);
          await expect(page.locator("p")).toHaveText("200");
        });
      });
      test.describe(() => {
        test.use({ serviceUrl: "api.shop.example" });
        test("no scheme", ({ page }) => undefined);
      });`,
    );
    expect(text).toContain('serviceUrl "api.shop.example" is not a base URL');
    expect(text).toContain("1 passed");
  });

  it("shows the last requests of a failed test, unless disabled", async () => {
    const fails = `
      test("fails", async ({ page, dataService }) => {
        await page.setContent(health);
        await expect(page.locator("p")).toHaveText("201", { timeout: 1000 });
      });`;
    const tests = `${fails}
      test("takes too long", async ({ page, dataService }) => {
        test.setTimeout(3000);
        await page.setContent(health.replace("a=1", "a=2"));
        await expect(page.locator("p")).toHaveText("201", { timeout: 20_000 });
      });
      test("passes", async ({ page, dataService }) => {
        await page.setContent(health.replace("a=1", "a=3"));
        await expect(page.locator("p")).toHaveText("200");
      });`;
    const hidden = "test.use({ dataServiceOptions: { shownRequests: 0 } });";
    project.write("shown/b.spec.ts", begin + hidden + fails);
    const text = await play("shown", tests);
    for (const number of [1, 2]) expect(text).toMatch(shown(`GET /health\\?a=${number} → 200`));
    expect(text).toContain("3 failed");
    expect(text.match(/The last requests/g)).toHaveLength(2);
  });
});
