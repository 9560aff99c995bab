import { readFileSync } from "node:fs";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";

/**
 * What the build wrote of the document of the default profile, as it is published or the fifth of it that is about
 * requests, and of the control plane's; undefined where the sources run as they are. Building a document takes a good
 * part of the time to the first response.
 */
export function readPrebuiltDocument(
  name: "document" | "requests" | "control-plane-requests",
): OpenAPIObject | undefined {
  const file = findPackagedFile(`starting-states/${name}.json`);
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject);
}
