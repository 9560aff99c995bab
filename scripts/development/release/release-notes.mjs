/** Prints the section of CHANGELOG.md about a version: release-notes.mjs 1.2.3 */
import { readFileSync } from "node:fs";

const version = process.argv[2]?.replace(/^v/, "");
const sections = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
const section = sections.find((text) => text.split(/\s/)[0] === version);
if (section === undefined) {
  process.stderr.write(`CHANGELOG.md has no section "## ${version}"\n`);
  process.exit(1);
}
process.stdout.write(`${section.slice(section.indexOf("\n")).trim()}\n`);
