import type { Profile } from "../../openapi/gaps/profile.js";
import type { TokenIssuer } from "./tokens.js";
import type { IdGenerator } from "./id-generator.js";
import type { Store } from "../store/store.js";
import type { Clock } from "../time/clock.js";

/** The state of a namespace, and all sources of effects that handlers may use. */
export interface World {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly tokens: TokenIssuer;
  readonly profile: Profile;
}
