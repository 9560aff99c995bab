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
  return written("document", profile) ?? buildDocument(profile);
}

/** What it says of requests, a fifth of it, where the build has written that beside the bundle. */
export function requestsAhead(profile: Profile): OpenAPIObject | undefined {
  return written("requests", profile);
}

/** What the build wrote of the document of the default profile. */
function written(part: "document" | "requests", profile: Profile): OpenAPIObject | undefined {
  const file = isDefault(profile) ? packagedFile(`starting-states/${part}.json`) : undefined;
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject);
}

function isDefault(profile: Profile): boolean {
  return Object.entries(defaultProfile).every(([gap, answer]) => profile[gap as keyof Profile] === answer);
}
