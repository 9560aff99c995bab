import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildDocument } from "../../openapi/document/document.js";
import { toPublicDocument } from "../../openapi/document/to-public-document.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { ContractValidator, type RequestValidator } from "../../openapi/validation/contract-validator.js";
import { emulatorLimits } from "../memory/limits.js";
import { CachePool, PooledCache } from "../memory/cache-pool.js";
import { readPrebuiltDocument } from "./prebuilt-document.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The contract for requests under one profile. Independent of any emulator. */
export interface Contract {
  /** The routes and request schemas: a document with or without responses. */
  readonly requests: OpenAPIObject;
  readonly validator: RequestValidator;
  /** The document as it is published. */
  readonly document: OpenAPIObject;
}

/** The contracts of the process: a test suite creates many emulators, which share what is compiled. */
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
        return (document ??= read("document") ?? toPublicDocument(whole()));
      },
    };
  });
}

/** A key that profiles with the same answers have in common. */
export const getProfileKey = memoize((profile: Profile) => JSON.stringify(profile), new WeakMap());
