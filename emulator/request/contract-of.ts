import type { OpenAPIObject } from "openapi3-ts/oas31";
import type { Profile } from "../../openapi/gaps/profile.js";
import { ContractValidator, type RequestValidator } from "../../openapi/validation/validate.js";
import { emulatorLimits } from "../memory/limits.js";
import { RecentCache } from "../memory/recent-cache.js";
import { documentOf, requestsAhead } from "./document-of.js";

/** What requests are held against, for one profile. Nothing in it belongs to an emulator. */
export interface Contract {
  /** Where requests lead and what they may be, as a document that says nothing of answers or a whole one. */
  readonly requests: OpenAPIObject;
  readonly validator: RequestValidator;
  /** The whole document, for those who show it. */
  readonly document: OpenAPIObject;
}

/** Those of the process: a test suite makes many emulators, and what one has compiled serves the next. */
const services = new RecentCache<string, Contract>(emulatorLimits.profiles);

/** The contract of the service under a profile. */
export function contractOf(profile: Profile): Contract {
  return services.get(profileKey(profile), () => {
    let document: OpenAPIObject | undefined;
    const whole = () => (document ??= documentOf(profile));
    const requests = requestsAhead(profile) ?? whole();
    return {
      requests,
      validator: new ContractValidator(requests),
      get document() {
        return whole();
      },
    };
  });
}

const keys = new WeakMap<Profile, string>();

/** Text that profiles with the same answers share. */
export function profileKey(profile: Profile): string {
  let key = keys.get(profile);
  if (key === undefined) keys.set(profile, (key = JSON.stringify(profile)));
  return key;
}
