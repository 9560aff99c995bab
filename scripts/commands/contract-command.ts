import type * as Yaml from "yaml";
import { requireLate } from "../../openapi/packaged/require-late.js";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { fail } from "./command-error.js";
import { readProfileFile } from "./read-profile-file.js";

export interface ContractOptions {
  readonly profile?: string;
  readonly format: string;
}

/** `data-service contract`: the strict document of a profile. */
export async function printContract({ profile, format }: ContractOptions): Promise<void> {
  if (format !== "json" && format !== "yaml") fail(`the format is json or yaml, not ${format}`);
  const document = buildDocument({ ...defaultProfile, ...(await readProfileFile(profile)) });
  if (format === "json") process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  else {
    const { stringify } = requireLate("yaml") as typeof Yaml;
    process.stdout.write(stringify(document, { aliasDuplicateObjects: false }));
  }
}
