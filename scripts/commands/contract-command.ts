import type * as Yaml from "yaml";
import { seedSchema } from "../../emulator/seeds/seed-schema.js";
import { buildDocument } from "../../openapi/document/document.js";
import { publishDocument } from "../../openapi/document/publish.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { profileSchema } from "../../openapi/gaps/profile-schema.js";
import { requireLate } from "../../openapi/packaged/require-late.js";
import { readProfileFile } from "./read-profile-file.js";

export interface ContractOptions {
  readonly profile?: string;
  readonly format: "json" | "yaml";
}

/** `data-service contract`: the published document of a profile. */
export async function printContract({ profile, format }: ContractOptions): Promise<void> {
  const document = publishDocument(buildDocument({ ...defaultProfile, ...(await readProfileFile(profile)) }));
  if (format === "json") {
    printJson(document);
    return;
  }
  const { stringify } = requireLate("yaml") as typeof Yaml;
  process.stdout.write(stringify(document, { aliasDuplicateObjects: false }));
}

/** `data-service schema`: the JSON Schema of a file that people write, for their editors. */
export async function printSchema(kind: "profile" | "seed" | "target"): Promise<void> {
  if (kind === "profile") {
    printJson(profileSchema());
    return;
  }
  if (kind === "seed") {
    printJson(seedSchema());
    return;
  }
  // the suite is large, and the other commands do without it
  const { targetSchema } = await import("../../conformance/target/target-file.js");
  printJson(targetSchema());
}

function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
