import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Check, defineChecks } from "../../conformance/check/check.js";
import { ItemClient } from "../../conformance/steps/items/item-client.js";
import type { Fetch } from "../../conformance/client/exchange.js";
import { buildReport } from "../../conformance/report/build-report.js";
import type { Report } from "../../conformance/report/report.js";
import { formatSummary } from "../../conformance/report/format-summary.js";
import { renderHtmlReport } from "../../conformance/report-files/html/html-report.js";
import { formatMarkdownSummary } from "../../conformance/report-files/markdown-summary.js";
import { writeFailures } from "../../conformance/report-files/write-reports.js";
import { Certification } from "../../conformance/run/certification.js";
import { createEmulatorTarget } from "../../conformance/target/emulator-target.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";

const command = "data-service certify http://x --emulator";
const right = "123456789012345";
const wrong = "123456789812345";

/** Checks that put an item with many numbers and read it; one digit has changed. */
const checks = defineChecks(
  {
    id: "items/large",
    title: "A large item comes back as it was put",
    clauses: ["ITEM-09"],
    needs: ["database"],
    run: async (context) => {
      const items = await ItemClient.shared(context);
      await context.property({ sk: fc.constant("s"), size: fc.constant(400) }, async ({ sk, size }) => {
        const rows = Array.from({ length: size }, (_, n) => ({
          n,
          total: n === 233 ? Number(right) : n * 1.5,
          text: `row ${n}`,
        }));
        const key = items.key(sk);
        await items.put(key, { rows });
        await items.expect("ITEM-09", key, { rows });
      });
    },
  },
  ...["one", "two", "three"].map((name): Check => ({
    id: `plans/${name}`,
    title: "Fails",
    clauses: ["BILL-20"],
    needs: [],
    run: async (context) => {
      const { status } = await context.call("listPlans");
      context.assert("BILL-20", false, `something ${name}, with | and \``, `status ${status}\n${name}`);
    },
  })),
);

let emulator: Emulator;
let folder: string;
let url: string;
beforeAll(async () => {
  emulator = await createEmulator();
  url = await emulator.listen();
  folder = mkdtempSync(join(tmpdir(), "certify-failures-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await emulator.close();
});

/** Changes one digit of one number in each response. */
const wrongDigit: Fetch = async (to, init) => {
  const response = await fetch(to, init);
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const body = init.method === "GET" ? text.replaceAll(right, wrong) : text;
  return new Response(body === "" ? null : body, { status: response.status, headers });
};

async function reportOf(more: { readonly maxFailures?: number } = {}): Promise<Report> {
  const id = "cfdigits01";
  const target = await createEmulatorTarget({ url, fetch: wrongDigit, run: id });
  const ledger = Ledger.create(id, target.baseUrl);
  const certification = new Certification({ target, ledger, seed: 1, runs: 1, checks, ...more });
  const outcome = await certification.certify();
  const { recorder, secrets } = certification.run;
  return buildReport({ outcome, target, id, seed: 1, runs: 1, recorder, secrets });
}

describe("a failure caused by one digit of a large item", () => {
  let report: Report;
  beforeAll(async () => {
    report = await reportOf();
  });

  it("shows path, digit and named inputs on a terminal", () => {
    const lines = formatSummary(report, { command }).split("\n");
    const at = lines.indexOf("    at .rows[233].total");
    expect(lines.slice(at - 1, at + 4)).toEqual([
      expect.stringMatching(/^ {2}data of the item .*: one difference$/),
      "    at .rows[233].total",
      `      expected    ${right}`,
      `      actual      ${wrong}`,
      `                  ${" ".repeat(9)}^`,
    ]);
    expect(lines.slice(lines.indexOf("  smallest input found") + 1).slice(0, 2)).toEqual([
      '    sk    "s"',
      "    size  400",
    ]);
    // long bodies are truncated
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(450);
  });

  it("is highlighted on the page and in the job summary", () => {
    const page = renderHtmlReport(report, { command });
    expect(page).toContain("<code>.rows[233].total</code>");
    expect(page).toMatch(/<code>123456789<mark class="actual">8<\/mark>12345<\/code>/);
    expect(formatMarkdownSummary(report, command)).toContain(`    at .rows[233].total
      expected    ${right}
      actual      ${wrong}
`);
  });

  it("comes with a repeatable script that needs only curl", async () => {
    const files = writeFailures(folder, report, command).get("items/large");
    expect(readFileSync(files?.file ?? "", "utf8")).toContain("the same with curl");
    for (let time = 0; time < 2; time++) {
      const { stdout } = await promisify(execFile)("bash", ["-eu", files?.script ?? ""], {
        env: { PATH: process.env.PATH, RUN: `cfscript0${time}` },
      });
      expect(stdout.split("\n").filter((line) => /^\d{3}$/.test(line))).toEqual(["200", "200", "200"]);
      expect(stdout).toContain('"text":"row 399"');
    }
    // a later run with fewer failures removes the files of earlier failures
    writeFailures(folder, { ...report, checks: [] }, command);
    expect(existsSync(files?.script ?? "")).toBe(false);
  });

  it("keeps the job summary in one code block, whatever the texts contain", () => {
    const title = "x\n```\n````` | <b>";
    const summary = formatMarkdownSummary({ ...report, target: { ...report.target, title } }, command);
    const [, fence = "", text = ""] = /^## ❌ not conformant\n\n(`+)text\n(.*?)\n\1\n$/s.exec(summary) ?? [];
    expect(fence.length).toBeGreaterThan(5);
    expect(text).not.toContain(fence);
    expect(text).toContain("plans/one");
  });

  it("ends the run after the maximum number of failures", async () => {
    const { checks: ended, errors, verdict } = await reportOf({ maxFailures: 2 });
    expect(verdict).toBe("not conformant");
    expect(ended.map(({ level }) => level).sort()).toEqual(["failed", "failed", "not-run", "not-run"]);
    expect(errors).toEqual(["stopped after 2 failed checks because of --max-failures"]);
  });
});
