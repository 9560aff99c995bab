import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";

/** Writes the strict document of the default profile for Prism: the published one lets a response have any more fields. */
export function writeStrictContract(): string {
  const folder = fileURLToPath(new URL("../../../dist/cache", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/openapi.strict.json`;
  writeFileSync(file, JSON.stringify(buildDocument(defaultProfile)));
  return file;
}
