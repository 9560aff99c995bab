import { writeJson } from "../json/write-json.js";
import type { JsonValue } from "../json/json-value.js";
import { yamlText } from "./yaml-text.js";

const schemaOfPackage = "./node_modules/data-service-emulator/fixtures/seed.schema.json";

/** A seed as the text of a file, which editors find the schema of. */
export function seedText(seed: JsonValue, format: "yaml" | "json"): string {
  return format === "yaml"
    ? `# yaml-language-server: $schema=${schemaOfPackage}\n${yamlText(seed)}`
    : `${writeJson(seed)}\n`;
}
