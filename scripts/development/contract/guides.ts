import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A block of code in a guide. */
export interface Example {
  /** Path of the guide from the root of the package. */
  readonly guide: string;
  /** What the comment above the block calls it; empty where there is none. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** The root of the package. */
export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What users read, from the root of the package; the page of the trace is generated. */
export const guides: readonly string[] = [
  "README.md",
  ...["emulator", "conformance", "openapi", "fixtures"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.endsWith("TRACE.md"))
      .map((file) => `${folder}/${file}`),
  ),
].sort();

/** Every block of code in the guides, but for those that only show what something looks like (`text`). */
export const examples: readonly Example[] = guides.flatMap((guide) =>
  [...readGuide(guide).matchAll(/(?:<!-- example: ([^\n]+) -->\n\n)?^```(\w*)\n(.*?)^```$/gms)]
    .map(([, name = "", language = "", text = ""]) => ({ guide, name, language, text }))
    .filter(({ language }) => language !== "text"),
);

/** The text of a guide, by its path from the root of the package. */
export function readGuide(guide: string): string {
  return readFileSync(`${root}${guide}`, "utf8");
}

/** The text of an example. */
export function exampleOf(guide: string, name: string): string {
  const found = examples.find((example) => example.guide === guide && example.name === name);
  if (found === undefined) throw new Error(`${guide} has no example named ${name}`);
  return found.text;
}

/** A text with a part replaced that has to be there. */
export function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`there is no ${part} in the example:\n${text}`);
  return text.replaceAll(part, by);
}
