import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";

/**
 * The document of the default profile as it is published, or the fifth of it that is about requests, or the same of the
 * control plane's, as the build wrote it; undefined where the sources run as they are. Building a document takes a good
 * part of the time to the first response.
 */
export function readPrebuiltDocument(
  name: "document" | "requests" | "control-plane-requests",
): OpenAPIObject | undefined {
  const isWhole = name === "document";
  const written = findPackagedFile(`starting-states/${isWhole ? "requests" : name}.json`);
  if (written === undefined) return undefined;
  // the package already contains the whole document, next to `dist`
  const file = isWhole ? join(written, "../../../openapi/openapi.json") : written;
  return JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject;
}
