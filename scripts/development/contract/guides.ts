import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A code block in a guide. */
export interface Example {
  /** Path of the guide relative to the root of the package. */
  readonly guide: string;
  /** Name in the comment above the block; empty without a comment. */
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** The root of the package. */
export const repositoryRoot = fileURLToPath(new URL("../../..", import.meta.url));

/** Paths of the guides, relative to the root of the package; the page of the trace is generated. */
export const guides: readonly string[] = [
  "README.md",
  ...["emulator", "conformance", "openapi", "fixtures"].flatMap((folder) =>
    readdirSync(`${repositoryRoot}${folder}`, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.endsWith("TRACE.md"))
      .map((file) => `${folder}/${file}`),
  ),
].sort();

/** Every code block in the guides, except those that only show output (`text`). */
export const examples: readonly Example[] = guides.flatMap((guide) =>
  [...readGuide(guide).matchAll(/(?:<!-- example: ([^\n]+) -->\n\n)?^```(\w*)\n(.*?)^```$/gms)]
    .map(([, name = "", language = "", text = ""]) => ({ guide, name, language, text }))
    .filter(({ language }) => language !== "text"),
);

/** Reads a guide by its path relative to the root of the package. */
export function readGuide(guide: string): string {
  return readFileSync(`${repositoryRoot}${guide}`, "utf8");
}

/** Returns the text of an example. */
export function findExample(guide: string, name: string): string {
  const found = examples.find((example) => example.guide === guide && example.name === name);
  if (found === undefined) throw new Error(`${guide} has no example named ${name}`);
  return found.text;
}

/** Replaces a part of a text; throws if the text does not contain it. */
export function replaceOnce(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the example does not contain ${part}:\n${text}`);
  return text.replaceAll(part, by);
}
