/**
 * Prints the validators of every request of the default profile and of the control plane as JSON: pairs of the text of a
 * schema and a CommonJS module that exports its validator. A step of the build.
 */
import standalone from "ajv/dist/standalone/index.js";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { createAjv, SchemaCompiler } from "../../../openapi/validation/schema-compiler.js";
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
const modules = [...names].map(([text, name]) => {
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`there is no validator of ${text}`);
  return [text, standalone.default(ajv, validate)];
});
process.stdout.write(JSON.stringify(modules));
