import { readFileSync } from "node:fs";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";

/**
 * What the build wrote of the document of the default profile: as it is published, or the fifth of it that is about
 * requests. To build it takes a good part of the time to the first answer.
 */
export function readPrebuiltDocument(
  part: "document" | "requests",
  profile: Profile,
): OpenAPIObject | undefined {
  const file = isDefault(profile) ? findPackagedFile(`starting-states/${part}.json`) : undefined;
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject);
}

function isDefault(profile: Profile): boolean {
  return Object.entries(defaultProfile).every(([gap, answer]) => profile[gap as keyof Profile] === answer);
}
