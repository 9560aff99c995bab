/**
 * Prints validators as JSON, as a step of the build: for requests under the default profile, requests to the control
 * plane, and seed files. Each entry has a list of schema texts or hashes, and a CommonJS module that exports their
 * validators as `v0`, `v1`… in the same order.
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
/** Number of validators in a file: a compromise between loading few validators and having few files. */
const perFile = 2;
const texts = [...names.keys()];
const modules: [texts: string[], module: string][] = [];
while (texts.length > 0) {
  const group = texts.splice(0, perFile);
  const exported = Object.fromEntries(group.map((text, index) => [`v${index}`, names.get(text) ?? ""]));
  modules.push([group, standalone.default(ajv, exported)]);
}
// this validator only decides whether a seed is valid; for a seed with mistakes, another one is compiled at run time
const seedSchema = buildSeedSchema();
const seedAjv = new Ajv2020({ code: { source: true }, messages: false, strict: false });
seedAjv.addSchema(seedSchema, "v0");
modules.push([[hashSchema(seedSchema)], standalone.default(seedAjv, { v0: "v0" })]);

process.stdout.write(JSON.stringify(modules));
