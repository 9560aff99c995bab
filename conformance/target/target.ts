import type { Profile } from "../../openapi/gaps/profile.js";
import type { Requirement } from "./requirements.js";
import type { Client, ClientOptions } from "../client/client.js";
import type { SecretMasker } from "../client/secrets.js";
import type { Ledger } from "./ledger.js";
import type { ActorSource } from "./actors.js";
import type { ControlPlaneClient } from "./control-plane-client.js";
import type { ObservationBounds } from "./observation-bounds.js";

/** What a target offers once a run has started. */
export interface PreparedTarget {
  readonly source: ActorSource;
  readonly control?: ControlPlaneClient;
  /** Region for new databases, if known. */
  readonly region?: string;
}

/** Why a requirement is not met: the target does not declare it, or declares it but this run cannot try it. */
export type UnmetRequirementReason = string | { readonly untried: string };

/** A deployment to certify, and what is known about it in advance. */
export interface Target extends Pick<
  ClientOptions,
  "baseUrl" | "fetch" | "politeness" | "timeoutMs" | "time" | "readLagMs"
> {
  /** Name of the deployment in a profile that is created from it. Defaults to the base URL. */
  readonly deployment?: string;
  /** Name of the target in reports. */
  readonly title: string;
  /** Maximum number of concurrent checks. Defaults to the maximum number of concurrent requests. */
  readonly maxConcurrentChecks?: number;
  /** Maximum time for which a new database may have the status `Creating`, in milliseconds. */
  readonly databaseReadyMs: number;
  /** How far a count may lag behind writes, in milliseconds. Defaults to five seconds. */
  readonly countLagMs?: number;
  /** Region for new databases, if known before the run is prepared. */
  readonly region?: string;
  /** Domain of the made-up addresses to which invitations are sent. */
  readonly invitationDomain?: string;
  /** Id of the database to work in. By default, the run creates a database. */
  readonly databaseId?: string;
  /** Limits for costly observations. */
  readonly observationBounds?: Partial<ObservationBounds>;
  /** Known answers to gaps. */
  readonly knownAnswers: Partial<Profile>;
  /** Whether `knownAnswers` is a complete profile, so that answers are also validated against the strict document. */
  readonly isStrict: boolean;
  /** How long to wait, in milliseconds, for a deployment that has stopped responding to respond again. */
  readonly outageMs?: number;
  /** Returns why a requirement is not met; `undefined` if it is met. */
  readonly findUnmetReason: (need: Requirement) => UnmetRequirementReason | undefined;
  /**
   * Prepares the target: creates or looks up users and keys.
   *
   * @throws RunError when the target cannot be used
   */
  readonly prepare: (run: {
    readonly client: Client;
    readonly ledger: Ledger;
    readonly secrets: SecretMasker;
    /** Called after the clock was moved, because sessions may have ended. */
    readonly forgetSessions: () => void;
  }) => Promise<PreparedTarget>;
}
