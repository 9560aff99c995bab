import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildDocument } from "../../openapi/document/document.js";
import { toPublicDocument } from "../../openapi/document/to-public-document.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { ContractValidator, type RequestValidator } from "../../openapi/validation/contract-validator.js";
import { emulatorLimits } from "../memory/limits.js";
import { CachePool, PooledCache } from "../memory/cache-pool.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The contract for requests under one profile. Independent of any emulator. */
export interface Contract {
  /** The routes and request schemas: a document with or without responses. */
  readonly requests: OpenAPIObject;
  readonly validator: RequestValidator;
  /** The document as it is published. */
  readonly document: OpenAPIObject;
}

/** All emulators of the process share compiled contracts. */
const contracts = new PooledCache<Contract>({ pool: new CachePool(emulatorLimits.profiles) });

/** Returns the contract of the service under a profile. */
export function getContract(profile: Profile): Contract {
  return contracts.get(getProfileKey(profile), () => {
    let strict: OpenAPIObject | undefined;
    let document: OpenAPIObject | undefined;
    const whole = () => (strict ??= buildDocument(profile));
    const read = (name: "requests" | "document") =>
      getProfileKey(profile) === getProfileKey(defaultProfile) ? readPrebuiltDocument(name) : undefined;
    const requests = read("requests") ?? whole();
    return {
      requests,
      validator: new ContractValidator(requests),
      get document() {
        return (document ??= read("document") ?? toPublicDocument(whole(), profile));
      },
    };
  });
}

/** Returns a key that is equal for profiles with the same answers. */
export const getProfileKey = memoize((profile: Profile) => JSON.stringify(profile), new WeakMap());

/**
 * Reads a document that the build wrote, because building one takes a large part of the time until the first response.
 * Returns undefined if the sources are run directly.
 *
 * @param name the whole document of the default profile, or only the requests of this document or of the control plane's
 */
export function readPrebuiltDocument(
  name: "document" | "requests" | "control-plane-requests",
): OpenAPIObject | undefined {
  const isWhole = name === "document";
  const written = findPackagedFile(`starting-states/${isWhole ? "requests" : name}.json`);
  if (written === undefined) return undefined;
  // The package already contains the whole document, next to `dist`.
  const file = isWhole ? join(written, "../../../openapi/openapi.json") : written;
  return JSON.parse(readFileSync(file, "utf8")) as OpenAPIObject;
}
