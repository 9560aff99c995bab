/**
 * Prints the validators of every request of the default profile and of the control plane, and of seed files, as JSON:
 * lists of the texts of schemas, or of their hashes, each with a CommonJS module that exports their validators as `v0`,
 * `v1`… in that order. A step of the build.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { createAjv, hashSchema, SchemaCompiler } from "../../../openapi/validation/schema-compiler.js";
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
/** How many validators share a file: a process that runs for a second needs few of them, and a package few files. */
const perFile = 2;
const texts = [...names.keys()];
const modules: [texts: string[], module: string][] = [];
while (texts.length > 0) {
  const group = texts.splice(0, perFile);
  const exported = Object.fromEntries(group.map((text, index) => [`v${index}`, names.get(text) ?? ""]));
  modules.push([group, standalone.default(ajv, exported)]);
}
// only whether a seed is valid: another validator, which is compiled when it is needed, finds the mistakes
const seedSchema = buildSeedSchema();
const seedAjv = new Ajv2020({ code: { source: true }, messages: false, strict: false });
seedAjv.addSchema(seedSchema, "v0");
modules.push([[hashSchema(seedSchema)], standalone.default(seedAjv, { v0: "v0" })]);

process.stdout.write(JSON.stringify(modules));
