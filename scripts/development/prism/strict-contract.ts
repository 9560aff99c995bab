/**
 * Writes the strict document of the default profile for Prism, when it is loaded: the published one lets a response have
 * any more fields. `npm run mock` and `npm run proxy` run it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";

const folder = fileURLToPath(new URL("../../../dist/cache", import.meta.url));

export const strictContractPath = `${folder}/openapi.strict.json`;

mkdirSync(folder, { recursive: true });
writeFileSync(strictContractPath, JSON.stringify(buildDocument(defaultProfile)));
