/**
 * Prints the validators of every request of the default profile and of the control plane as a CommonJS module, by the
 * texts of their schemas. A step of the build.
 */
import standalone from "ajv/dist/standalone/index.js";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { createAjv, SchemaCompiler } from "../../../openapi/validation/compile-schema.js";
import { requestSchemas } from "../../../openapi/validation/request-schemas.js";

const ajv = createAjv(false, { source: true });
const names = new Map<string, string>();
for (const document of [buildDocument(defaultProfile), buildControlPlaneDocument()]) {
  const compiler = new SchemaCompiler(document);
  for (const pointer of requestSchemas(document)) {
    const text = compiler.textOf(pointer);
    if (names.has(text)) continue;
    compiler.addReferences(ajv, text);
    const name = `v${names.size}`;
    ajv.addSchema(JSON.parse(text) as object, name);
    names.set(text, name);
  }
}
const code = standalone.default(ajv, Object.fromEntries([...names.values()].map((name) => [name, name])));
const byText = [...names].map(([text, name]) => `${JSON.stringify(text)}: exports.${name}`).join(",\n");
process.stdout.write(`${code}\nmodule.exports = {\n${byText}\n};\n`);
