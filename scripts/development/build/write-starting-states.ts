/**
 * Writes files that save time at startup, as a step of the build: the starting state of every fixture, and the request
 * documents of the default profile and of the control plane. The argument is the output folder.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { buildStartingState } from "../../../emulator/seeds/starting-state.js";
import { loadSqlite } from "../../../emulator/sqlite/sqlite.js";
import { fixtureNames } from "../../../fixtures/register.js";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { toRequestDocument } from "../../../openapi/document/to-request-document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: write-starting-states FOLDER");
const sqlite = await loadSqlite();
mkdirSync(folder, { recursive: true });
for (const fixture of fixtureNames)
  writeFileSync(
    `${folder}/${fixture}.sqlite.gz`,
    gzipSync(buildStartingState(sqlite, fixture), { level: 9 }),
  );
const documents = {
  requests: buildDocument(defaultProfile),
  "control-plane-requests": buildControlPlaneDocument(),
};
for (const [name, document] of Object.entries(documents))
  writeFileSync(`${folder}/${name}.json`, JSON.stringify(toRequestDocument(document)));
