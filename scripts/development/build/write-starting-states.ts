/**
 * Writes what a start would otherwise work out, into the folder named by the argument: the starting state of every
 * fixture, the document of the default profile, whole and as far as it is about requests, and the latter of the control
 * plane's. A step of the build.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { writeStartingState } from "../../../emulator/seeds/starting-state.js";
import { loadSqlite } from "../../../emulator/sqlite/sqlite.js";
import { fixtureNames } from "../../../fixtures/register.js";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { publishDocument } from "../../../openapi/document/publish.js";
import { pickRequests } from "../../../openapi/document/pick-requests.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";

const folder = process.argv[2];
if (folder === undefined) throw new Error("name the folder to write to");
const sqlite = await loadSqlite();
mkdirSync(folder, { recursive: true });
for (const fixture of fixtureNames)
  writeFileSync(`${folder}/${fixture}.sqlite`, writeStartingState(sqlite, fixture));
const document = buildDocument(defaultProfile);
writeFileSync(`${folder}/document.json`, JSON.stringify(publishDocument(document)));
writeFileSync(`${folder}/requests.json`, JSON.stringify(pickRequests(document)));
writeFileSync(
  `${folder}/control-plane-requests.json`,
  JSON.stringify(pickRequests(buildControlPlaneDocument())),
);
