import { findExample, guides, readGuide } from "./guides.js";

/** Topics for coding assistants, each with the guide that has an example. */
const examplesShown = [
  ["A request to a running emulator", "README.md", "first request", "sh"],
  ["A namespace for each test, in Vitest", "emulator/guides/test-suites.md", "orders.test.ts", "ts"],
  ["In-process, without a test runner", "emulator/README.md", "in-process", "ts"],
  ["Your own data", "fixtures/README.md", "seed.yaml", "yaml"],
] as const;

/** Builds `llms.txt`, which tells coding assistants how to use the package, from the guides. */
export function buildLlmsText(): string {
  const [, title = "", summary = ""] = /^# (.*)\n\n([^]*?)\n\n- /.exec(readGuide("README.md")) ?? [];
  const shown = examplesShown.map(
    ([text, guide, name, language]) =>
      `## ${text}\n\n\`\`\`${language}\n${findExample(guide, name).trim()}\n\`\`\``,
  );
  return [
    `# ${title}`,
    `> ${summary.replaceAll("\n", " ")}`,
    "The emulator's base URL is `http://127.0.0.1:4100` by default. `fixtures/README.md` lists the keys and passwords in " +
      "the demo data, `openapi/openapi.json` describes all operations, and `dist/*.d.ts` contains the package's types.",
    ...shown,
    "## Guides",
    guides.map(formatGuideEntry).join("\n"),
  ].join("\n\n");
}

/** Formats a link to a guide with the guide's headings. */
function formatGuideEntry(guide: string): string {
  const [title = guide, ...headings] = [
    ...readGuide(guide)
      .replaceAll(/^```[^]*?^```/gm, "")
      .matchAll(/^#{1,2} (.*)$/gm),
  ].map(([, text = ""]) => text);
  return `- [${title}](${guide})${headings.length === 0 ? "" : `: ${headings.join("; ")}`}`;
}
