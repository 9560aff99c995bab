import { readFileSync } from "node:fs";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { packagedFile } from "../../openapi/packaged/packaged-file.js";

/**
 * The document of a profile. The default one is read from what the build wrote beside the bundle, because building
 * it takes a good part of the time to the first answer; sources that run as they are build it.
 */
export function documentOf(profile: Profile): OpenAPIObject {
  const file = isDefault(profile) ? packagedFile("starting-states/document.json") : undefined;
  return file === undefined
    ? buildDocument(profile)
    : (JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject);
}

function isDefault(profile: Profile): boolean {
  return Object.entries(defaultProfile).every(([gap, answer]) => profile[gap as keyof Profile] === answer);
}
