/**
 * Prints the validators of every request of the default profile and of the control plane, and of seed files, as JSON: lists
 * of the texts of schemas, each with a CommonJS module that exports their validators as `v0`, `v1`… in that order. A step of the build.
 */
import standalone from "ajv/dist/standalone/index.js";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { createAjv, SchemaCompiler } from "../../../openapi/validation/schema-compiler.js";
import { buildSeedSchema } from "../../../emulator/seeds/build-seed-schema.js";
import { listRequestSchemas } from "../../../openapi/validation/locate-operations.js";

const ajv = createAjv(false, { source: true });
const names = new Map<string, string>();
for (const document of [buildDocument(defaultProfile), buildControlPlaneDocument()]) {
  const compiler = new SchemaCompiler(document);
  for (const pointer of listRequestSchemas(document)) {
    const text = compiler.schemaText(pointer);
    if (names.has(text)) continue;
    compiler.addReferences(ajv, text);
    const name = `v${names.size}`;
    ajv.addSchema(JSON.parse(text) as object, name);
    names.set(text, name);
  }
}
// a process that starts from a seed file needs no other
const seedSchema = JSON.stringify(buildSeedSchema());
ajv.addSchema(buildSeedSchema(), "seed");
names.set(seedSchema, "seed");

/** How many validators share a file: a process that runs for a second needs few of them, and a package few files. */
const perFile = 2;
const texts = [...names.keys()];
const modules: [texts: string[], module: string][] = [];
while (texts.length > 0) {
  const group = texts.splice(0, perFile);
  const exported = Object.fromEntries(group.map((text, index) => [`v${index}`, names.get(text) ?? ""]));
  modules.push([group, standalone.default(ajv, exported)]);
}
process.stdout.write(JSON.stringify(modules));
