import { existsSync, readFileSync } from "node:fs";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";

/**
 * The document of a profile. The default one is read from what the build wrote beside the bundle, because building
 * it takes a good part of the time to the first answer; sources that run as they are build it.
 */
export function documentOf(profile: Profile): OpenAPIObject {
  const file = new URL("../starting-states/document.json", import.meta.url);
  return isDefault(profile) && existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject)
    : buildDocument(profile);
}

function isDefault(profile: Profile): boolean {
  return Object.entries(defaultProfile).every(([gap, answer]) => profile[gap as keyof Profile] === answer);
}
