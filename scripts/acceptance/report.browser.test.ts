import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderHtmlReport } from "../../conformance/report-files/html/html-report.js";
import type { Report } from "../../conformance/report/report.js";
import { createSampleReport } from "../../conformance/report/testing/sample-report.js";

const executablePath = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "chromium"))
  .find((path) => existsSync(path));

// the browser may be missing on a developer's machine, but not in CI
const isSkipped = executablePath === undefined && process.env.CI !== "true";

/** Lists the tables that are too wide for the window. */
const sidewaysScrolling =
  '[...document.querySelectorAll(".scroll")].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)';

/** Text that a deployment could send to attack a reader; it replaces all texts from outside. */
const hostile = `x" '><script>document.title="run"</script><img src="//localhost/x"></pre></style></details>`;

const pages = {
  conformant: () => createSampleReport("passed"),
  "not conformant": () => createSampleReport("failed"),
};

if (isSkipped) console.warn("The page of a report is not looked at: there is no chromium on PATH.");

describe.skipIf(isSkipped)("the report page in a browser", () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    if (executablePath === undefined) throw new Error("there is no chromium on PATH");
    folder = mkdtempSync(join(tmpdir(), "report-"));
    // the browser's sandbox rarely works in containers; the test opens only the report
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a report, and collects the page's errors and requests. */
  async function open(report: Report): Promise<{ page: Page; complaints: string[] }> {
    const file = join(folder, `${report.verdict}.html`);
    writeFileSync(file, renderHtmlReport(report, { command: "data-service certify http://localhost:4100" }));
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    return { page, complaints };
  }

  it.each(Object.entries(pages))(
    "fits desktop and phone, loads nothing, and shows %s first",
    async (verdict, report) => {
      const callers = Array.from({ length: 20 }, (_, index) => `caller number ${index}`);
      const accessMatrix = callers.map(
        (caller) =>
          ({ operationId: "getItem", check: "x", caller, expected: "allowed", status: 200 }) as const,
      );
      const { page, complaints } = await open({ ...report(), accessMatrix });
      const heading = page.locator("h1");
      expect((await heading.innerText()).toLowerCase()).toContain(verdict);
      const levels = (
        await page.evaluate<string[]>(
          '[...document.querySelectorAll("h1,h2,h3,h4")].map((one) => one.tagName)',
        )
      ).map((name) => Number(name[1]));
      expect(levels[0]).toBe(1);
      for (const [index, level] of levels.slice(1).entries())
        expect(level - (levels[index] ?? 0)).toBeLessThanOrEqual(1);
      for (const isOpen of [false, true]) {
        await page.evaluate(
          `for (const details of document.querySelectorAll("details")) details.open = ${isOpen}`,
        );
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 800 });
          const needed = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect(needed, `${isOpen ? "open" : "folded"} at ${width}`).toBeLessThanOrEqual(width);
          if (width === 390) expect(await page.evaluate<string[]>(sidewaysScrolling)).toEqual([]);
          expect((await heading.boundingBox())?.y).toBeLessThan(200);
        }
      }
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  it("opens the section a link points to", async () => {
    const { page } = await open(createSampleReport("failed"));
    await page.locator('.failure h3 a[href="#clause-ITEM-02"]').click();
    await page.locator("#clause-ITEM-02").waitFor({ state: "visible" });
    await page.close();
  });

  it("renders nothing that the deployment sent as markup", async () => {
    const count = async (text: string) => {
      const { page, complaints } = await open(replaceTexts(createSampleReport("failed"), text));
      const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
      const shown = await page.locator(".verdicts dd").nth(1).innerText();
      await page.close();
      return { elements, complaints, shown };
    };
    const plain = await count("x".repeat(hostile.length));
    expect(await count(hostile)).toEqual({ ...plain, shown: hostile });
  });
});

/** Replaces all texts that come from the deployment or from users with one text. */
function replaceTexts(report: Report, text: string): Report {
  return {
    ...report,
    target: { title: text, baseUrl: text },
    accessMatrix: report.accessMatrix.map((cell) => ({ ...cell, caller: text })),
    checks: report.checks.map((check) => ({
      ...check,
      ...(check.reason === undefined ? {} : { reason: text }),
      ...(check.failure === undefined
        ? {}
        : {
            failure: {
              ...check.failure,
              actual: text,
              expected: text,
              inputs: [{ name: text, value: text }],
              exchanges: check.failure.exchanges.map((exchange) => ({
                ...exchange,
                request: { ...exchange.request, url: text, headers: { [text]: text }, body: text },
                answer: exchange.answer && { ...exchange.answer, body: text },
              })),
            },
          }),
    })),
    leftBehind: [{ kind: text, name: text, reason: text }],
  };
}
