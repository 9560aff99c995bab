import { exampleOf, guides, readGuide } from "./guides.js";

/** What an assistant that writes code should know of, each with the guide that has an example of it. */
const examplesShown = [
  ["A request to a running emulator", "README.md", "first request", "sh"],
  ["A world for each test, in Vitest", "emulator/guides/test-suites.md", "orders.test.ts", "ts"],
  ["In-process, without a test runner", "emulator/README.md", "in the process", "ts"],
  ["Your own data", "fixtures/README.md", "seed.yaml", "yaml"],
] as const;

/** `llms.txt`: what a coding assistant needs to use the package rightly, made from the guides. */
export function llmsText(): string {
  const [, title = "", summary = ""] = /^# (.*)\n\n([^]*?)\n\n- /.exec(readGuide("README.md")) ?? [];
  const shown = examplesShown.map(
    ([text, guide, name, language]) =>
      `## ${text}\n\n\`\`\`${language}\n${exampleOf(guide, name).trim()}\n\`\`\``,
  );
  return [
    `# ${title}`,
    `> ${summary.replaceAll("\n", " ")}`,
    "The base URL is `http://127.0.0.1:4100` unless another port was chosen. Keys and passwords of the demo data are in " +
      "`fixtures/README.md`, all operations in `openapi/openapi.json`, the types of the package in `dist/*.d.ts`.",
    ...shown,
    "## Guides",
    guides.map(guideLines).join("\n"),
  ].join("\n\n");
}

/** A guide with its headings, which say what is in it. */
function guideLines(guide: string): string {
  const [title = guide, ...headings] = [
    ...readGuide(guide)
      .replaceAll(/^```[^]*?^```/gm, "")
      .matchAll(/^#{1,2} (.*)$/gm),
  ].map(([, text = ""]) => text);
  return `- [${title}](${guide})${headings.length === 0 ? "" : `: ${headings.join("; ")}`}`;
}
