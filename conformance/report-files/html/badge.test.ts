import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeInvisible } from "../../../openapi/text/escape-invisible.js";
import { sampleReport } from "../../report/testing/sample-report.js";
import { buildBadgeJson, renderBadgeSvg } from "./badge.js";

const report = sampleReport("passed");

it("shows the verdict and the checks that passed, in the colours of shields.io", () => {
  expect(buildBadgeJson(report)).toEqual({
    schemaVersion: 1,
    label: "data service",
    message: "conformant, 1/2 checks",
    color: "brightgreen",
  });
  expect(buildBadgeJson(sampleReport("failed"))).toMatchObject({
    message: expect.stringMatching(/^not conformant, 1\/\d+ checks$/) as string,
    color: "red",
  });
  expect(buildBadgeJson(sampleReport("inconclusive"))).toMatchObject({ color: "lightgrey" });
  expect(buildBadgeJson({ ...report, verdict: "partial" })).toMatchObject({ color: "yellow" });
});

it("shows the same as a picture", () => {
  const svg = renderBadgeSvg(report);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>/);
  expect(svg).toContain(">conformant, 1/2 checks</text>");
  expect(svg).toContain('fill="#4c1"');
});

it("is the same picture whatever the deployment is called, but for its title", () => {
  const titleOf = /<title>([^<>]*)<\/title>/;
  const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
  const plain = renderBadgeSvg(report).replace(titleOf, "");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", "</title><script>", "&", "\0"), (a, b) => {
      const svg = renderBadgeSvg({ ...report, target: { ...report.target, title: a + b } });
      const [, title = ""] = titleOf.exec(svg) ?? [];
      expect(title).toMatch(/^(?:[^&]|&(?:amp|lt|gt|quot|#39);)*$/);
      const read = title.replace(/&[^;]+;/g, (entity) => entities[entity as "&amp;"]);
      expect(read).toBe(`${escapeInvisible(a + b)}: conformant, 1/2 checks`);
      expect(svg.replace(titleOf, "")).toBe(plain);
    }),
  );
});
