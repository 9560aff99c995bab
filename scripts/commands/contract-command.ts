import type { OpenAPIObject } from "openapi3-ts/oas31";
import type * as Yaml from "yaml";
import { buildTargetSchema } from "../../conformance/target/target-file.js";
import { buildSeedSchema } from "../../emulator/seeds/build-seed-schema.js";
import { buildDocument } from "../../openapi/document/document.js";
import { toPublicDocument } from "../../openapi/document/to-public-document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { buildProfileSchema } from "../../openapi/gaps/profile-schema.js";
import { readAsset } from "../../openapi/html/read-asset.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { readProfileFile } from "./read-profile-file.js";

interface ContractOptions {
  readonly profile?: string;
  readonly format: "json" | "yaml" | "html";
}

/** `data-service contract`: prints the published document of a profile. */
export async function printContract({ profile, format }: ContractOptions): Promise<void> {
  const whole = { ...defaultProfile, ...(await readProfileFile(profile)).profile };
  const document = toPublicDocument(buildDocument(whole), whole);
  if (format === "json") printJson(document);
  else if (format === "html") process.stdout.write(renderReferencePage(document));
  else {
    const { stringify } = lazyRequire("yaml") as typeof Yaml;
    process.stdout.write(stringify(document, { aliasDuplicateObjects: false }));
  }
}

/** Renders a document in Swagger UI, as one page that needs no network. */
export function renderReferencePage(document: OpenAPIObject): string {
  // the code must not close the script element
  const code = readAsset("swagger-ui.js").replaceAll("</script", "<\\/script");
  const spec = JSON.stringify(document).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${document.info.title}</title>
<style>${readAsset("swagger-ui.css")}</style>
</head>
<body>
<main id="reference"></main>
<script>${code}</script>
<script>
SwaggerUIBundle({
  spec: ${spec},
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  showExtensions: true,
  validatorUrl: null,
});
</script>
</body>
</html>
`;
}

/** `data-service schema`: prints the JSON Schema of a file for editors. */
export function printSchema(kind: "profile" | "seed" | "target"): void {
  const builders = { profile: buildProfileSchema, seed: buildSeedSchema, target: buildTargetSchema };
  printJson(builders[kind]());
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
