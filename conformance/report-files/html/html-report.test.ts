import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Report } from "../../report/report.js";
import { formatSummary } from "../../report/format-summary.js";
import { createSampleReport } from "../../report/testing/sample-report.js";
import type { CompareReport } from "../../compare/compare-report.js";
import { renderComparisonPage } from "./compared-page.js";
import { renderHtmlReport } from "./html-report.js";
import { type ObservationReport, renderObservationsPage } from "./observed.js";
import { readAsset } from "../../../openapi/html/read-asset.js";

/** Fields with a fixed set of values, which no deployment or user supplies. */
const words = new Set(["level", "state", "expected", "verdict", "area", "operationId", "intent"]);

/** Replaces all texts from deployments and users with one text. */
function replaceTexts(report: Report, text: string): Report {
  const replace = (value: unknown, name: string): unknown => {
    // a text between backticks becomes an element
    if (["statement", "title", "reason"].includes(name)) return text.replaceAll("`", "");
    if (typeof value === "string") return words.has(name) && isWord(value) ? value : text;
    if (Array.isArray(value)) return value.map((one) => replace(one, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner, key)]));
  };
  return replace(report, "") as Report;
}

function isWord(value: string): boolean {
  return /^[\w -]+$/.test(value);
}

/** Lists the elements of a page with the names of their attributes; every `<` must begin an element. */
function listElements(page: string): string[] {
  return page
    .split("<")
    .slice(1)
    .map((piece) => {
      const tag = /^(!?\/?[a-zA-Z][a-z0-9]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/.exec(piece);
      if (tag === null) return `no tag: ${piece}`;
      const [, name = "", attributes = ""] = tag;
      return name + attributes.replace(/="[^"]*"/g, "");
    });
}

const unit = fc.oneof(
  fc.constantFrom("<", ">", "&", '"', "'", "`", "/", "=", " ", "\n", "\r", "\0", "\ud800", "</pre>", "-->"),
  fc.constantFrom("<script>", "<img src=x onerror=x>", '" onclick="x', "${", "&lt;", "]]>", "</style>"),
  fc.nat(0xffff).map((code) => String.fromCharCode(code)),
);

describe("the page of a report", () => {
  it("shows invisible characters as their codes", () => {
    const unseen = "\u202eb\u2066\u009b\u0000\u007f\r";
    const page = renderHtmlReport(replaceTexts(createSampleReport("failed"), unseen), { command: unseen });
    expect(page).toContain("\\u202eb\\u2066\\u009b\\u0000\\u007f\\u000d");
    expect(page).not.toMatch(/[\u202e\u2066\u009b\0\u007f\r]/);
  });

  it("shows invisible characters in JSON as their codes", () => {
    const body = JSON.stringify({ mark: "\ufeffa\ufeff", filler: "x".repeat(100) });
    const page = renderHtmlReport(replaceTexts(createSampleReport("failed"), body), { command: "x" });
    expect(page).toContain("  &quot;mark&quot;: &quot;\\ufeffa\\ufeff&quot;");
    expect(page).not.toContain("\ufeff");
  });

  it("has the same elements for any texts of the report", () => {
    for (const kind of ["failed", "passed", "inconclusive"] as const) {
      const report = createSampleReport(kind);
      const plain = listElements(renderHtmlReport(replaceTexts(report, "text"), { command: "text" }));
      expect(plain.filter((tag) => tag.startsWith("no tag"))).toEqual([]);
      fc.assert(
        fc.property(fc.string({ unit, minLength: 1, maxLength: 12 }), (text) => {
          expect(listElements(renderHtmlReport(replaceTexts(report, text), { command: text }))).toEqual(
            plain,
          );
        }),
        { numRuns: 15, examples: [[`x" '><script>alert(1)</script><img src=x onerror=alert(1)>`]] },
      );
    }
  });

  it("names a clause once in its list of failures, with every check that it failed", () => {
    const report = createSampleReport("failed");
    const broken = report.checks.find(({ failure }) => failure !== undefined);
    const again = ["a/one", "a/two", "a/three"].map((id) => ({ ...broken, id }));
    const page = renderHtmlReport({ ...report, checks: [...report.checks, ...again] } as Report, {
      command: "x",
    });
    const [list = ""] = /<ul class="index">.*?<\/ul>/s.exec(page) ?? [];
    const clauses = [...list.matchAll(/href="#clause-([^"]+)"/g)].map(([, clause]) => clause);
    expect(clauses).toContain(broken?.failure?.clause);
    expect(new Set(clauses).size).toBe(clauses.length);
    for (const { id } of again) expect(list).toContain(`href="#failure-${id}"`);
  });

  it("shows the verdict first, and every clause, operation, failure and leftover", () => {
    const report = createSampleReport("failed");
    const page = renderHtmlReport(report, { command: "data-service certify http://x" });
    expect(page.indexOf("Not conformant")).toBeLessThan(page.indexOf("<nav"));
    for (const { clauses } of report.parts)
      for (const { id } of clauses) expect(page).toContain(`<tr id="clause-${id}">`);
    for (const { operationId } of report.operations) expect(page).toContain(`<code>${operationId}</code>`);
    for (const { id, failure } of report.checks) {
      expect(page).toContain(`<tr id="check-${id}">`);
      if (failure === undefined) continue;
      expect(page).toContain(`id="failure-${id}"`);
      expect(page).toContain(`data-service certify http://x --replay ${failure.replay}<`);
    }
    for (const { name, reason } of report.leftBehind) {
      expect(page).toContain(name);
      expect(page).toContain(reason);
    }
    expect(page).toContain("the target file does not declare a user <code>admin</code>");
    // every link points to an element of the page
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, anchor] of page.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(anchor);
  });

  it("does not show a partial run as passed", () => {
    const header = (verdict: Report["verdict"]) =>
      /<header class="[\w-]+">.*?<h1>.*?<\/h1>/s.exec(
        renderHtmlReport({ ...createSampleReport("passed"), verdict }, { command: "x" }),
      )?.[0];
    expect(header("conformant")).toMatch(/^<header class="passed">.*✓/s);
    expect(header("partial")).toMatch(/^<header class="not-run">.*○.* Partial/s);
    const paint = (text: string, color: string) => `${color} ${text}`;
    const partial = { ...createSampleReport("passed"), verdict: "partial" } as const;
    expect(formatSummary(partial, { command: "x", paint })).toContain("\nyellow partial: ");
  });

  it("lists answers that differ from the default first", () => {
    const answer = (gap: string, isDefault: boolean) => ({ kind: "answer", gap, question: "", isDefault });
    const { suite, target, run } = createSampleReport("passed");
    const observations = [answer("first", true), answer("second", false), answer("third", true)];
    const page = renderObservationsPage({ suite, target, run, observations } as unknown as ObservationReport);
    const order = [...page.matchAll(/<code>(first|second|third)</g)].map(([, gap]) => gap);
    expect(order).toEqual(["second", "first", "third"]);
  });

  it("marks checks that did not run in the evidence of a clause, and says what was not checked", () => {
    const report = createSampleReport("failed");
    const page = renderHtmlReport(report, { command: "x" });
    const [evidence = ""] = /<tr id="clause-AUTH-27">.*?<\/tr>/s.exec(page) ?? [];
    expect(evidence).toContain("<code>access/admin</code></a> (not declared)");
    expect(page).toContain('What was not checked <span class="note">10 checks</span>');
    expect(page).toContain("1 clause is blocked, because");
  });

  it("shows text between backticks as code", () => {
    const sample = createSampleReport("passed");
    const checks = sample.checks.map((check) => ({ ...check, title: "`query` runs, 5` long" }));
    const page = renderHtmlReport({ ...sample, checks }, { command: "x" });
    expect(page).toContain("<code>query</code> runs, 5` long");
    expect(page.split("the target file does not declare a user <code>admin</code>")).toHaveLength(3);
  });

  it("states the same facts about a run as the pages of observe and compare", () => {
    const report = createSampleReport("passed");
    const { suite, target, run } = report;
    const compared = {
      ...{
        suite,
        verdict: "same",
        targets: [target, target],
        run: { ...run, requests: [14, 14] },
        counts: {},
      },
      ...{ operations: [], causes: [], acceptedNotFound: [], omitted: [], errors: [], leftBehind: [] },
    };
    const pages = [
      renderHtmlReport(report, { command: "x" }),
      renderObservationsPage({ suite, target, run, observations: [] }),
      renderComparisonPage(compared as unknown as CompareReport),
    ];
    for (const page of [pages[0], pages[2]]) expect(page).toContain('<dt>Only</dt><dd dir="auto">items</dd>');
    for (const page of pages) {
      for (const text of [
        "1970-01-01 00:00:00 UTC",
        "<dt>Duration</dt>",
        "61.5 s, ",
        "<code>cfsample</code>",
      ])
        expect(page).toContain(text);
      expect(page).toContain(`${suite.contractVersion}, SHA-256 ${suite.contractSha256}`);
    }
  });

  it("marks only wrong results in the access matrix", () => {
    const cell = { operationId: "getItem", check: "access/x" } as const;
    const page = (expected: "allowed" | "refused" | "open", status: number) =>
      renderHtmlReport(
        { ...createSampleReport("passed"), accessMatrix: [{ ...cell, caller: "owner", expected, status }] },
        { command: "x" },
      );
    const isWrong = (text: string) => text.includes('<td class="cell wrong"');
    expect(isWrong(page("allowed", 200))).toBe(false);
    expect(isWrong(page("allowed", 403))).toBe(true);
    expect(isWrong(page("refused", 404))).toBe(false);
    expect(isWrong(page("refused", 204))).toBe(true);
    expect(isWrong(page("refused", 500))).toBe(true);
    expect(isWrong(page("open", 404))).toBe(false);
  });

  it("has enough contrast, light and dark", () => {
    const pattern = /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g;
    const pairs = [...readAsset("report.css").matchAll(pattern)];
    for (const theme of [2, 3]) {
      const colors = new Map(pairs.map((pair) => [pair[1], pair[theme]]));
      const contrast = (text: string, ground: string) => {
        const [a, b] = [getLuminance(colors.get(text) ?? ""), getLuminance(colors.get(ground) ?? "")];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      };
      for (const text of ["text", "soft", "link", "passed", "failed", "unsure"])
        for (const ground of ["ground", "raised"])
          expect(contrast(text, ground), `${text} on ${ground}`).toBeGreaterThan(4.5);
      for (const state of ["passed", "failed", "unsure", "quiet"])
        expect(contrast(state, `${state}-ground`), state).toBeGreaterThan(4.5);
    }
  });
});

/** The relative luminance of a color, as defined by WCAG 2. */
function getLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
