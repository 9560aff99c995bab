/**
 * Writes the strict document of the default profile, for `npm run mock` and `npm run proxy`. With the public document,
 * Prism would not find unexpected fields in responses.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";

const folder = fileURLToPath(new URL("../../../dist/cache", import.meta.url));

export const strictContractPath = `${folder}/openapi.strict.json`;

mkdirSync(folder, { recursive: true });
writeFileSync(strictContractPath, JSON.stringify(buildDocument(defaultProfile)));
