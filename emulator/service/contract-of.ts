import type { OpenAPIObject } from "openapi3-ts/oas31";
import type { Profile } from "../../openapi/gaps/profile.js";
import { ContractValidator } from "../../openapi/validation/validate.js";
import { emulatorLimits } from "../memory/limits.js";
import { RecentCache } from "../memory/recent-cache.js";
import { documentOf } from "./document-of.js";

/** A document and what holds requests against it. Neither keeps anything of an emulator. */
export interface Contract {
  readonly document: OpenAPIObject;
  readonly validator: ContractValidator;
}

/** Those of the process: a test suite makes many emulators, and what one has compiled serves the next. */
const services = new RecentCache<string, Contract>(emulatorLimits.profiles);

/** The contract of the service under a profile. */
export function contractOf(profile: Profile): Contract {
  return services.get(JSON.stringify(profile), () => {
    const document = documentOf(profile);
    return { document, validator: new ContractValidator(document) };
  });
}
