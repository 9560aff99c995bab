import type { Profile } from "../../openapi/gaps/profile.js";
import type { Requirement } from "./needs.js";
import type { Client, ClientOptions } from "../client/client.js";
import type { SecretMasker } from "../client/secrets.js";
import type { Ledger } from "./ledger.js";
import type { ActorSource } from "./actors.js";
import type { ControlPlane } from "./control-plane.js";
import type { ObservationSettings } from "./observation-settings.js";

/** What a target offers once a run has begun. */
export interface PreparedTarget {
  readonly source: ActorSource;
  readonly control?: ControlPlane;
  /** What observers may use and how far they may go; made ready when it is asked for. */
  readonly forObservers?: () => Promise<ObservationSettings>;
  /** Where databases are created; nothing where nobody knows. */
  readonly region?: string;
}

/** Why a need is not met: it is not declared, or it is declared and this run cannot try it. */
export type MissingRequirement = string | { readonly untried: string };

/** A deployment to be judged, and what is known about it beforehand. */
export interface Target extends Pick<
  ClientOptions,
  "baseUrl" | "fetch" | "politeness" | "timeoutMs" | "time" | "readLagMs"
> {
  /** What a profile names as the deployment that it comes from; the base URL without this. */
  readonly deployment?: string;
  /** How the target is named in reports. */
  readonly title: string;
  /** How many checks go side by side at most; as many as requests may without this. */
  readonly sideBySide?: number;
  /** How long a new database may take to leave `Creating`, in milliseconds. */
  readonly databaseReadyMs: number;
  /** Milliseconds for which a figure may lag behind what it counts; five seconds without this. */
  readonly countLagMs?: number;
  /** Where databases are created, where it is known before the run is prepared. */
  readonly region?: string;
  /** Domain of the addresses that are invited. */
  readonly invitationDomain?: string;
  /** A database to work in; without one the run creates it. */
  readonly databaseId?: string;
  /** Known answers to gaps. */
  readonly known: Partial<Profile>;
  /** Whether `known` is the whole profile, so that answers can be held against the strict document as well. */
  readonly isStrict: boolean;
  /** How long a deployment that does not answer is waited for, in milliseconds. */
  readonly outageMs?: number;
  /** Why a need is not met; `undefined` when it is. */
  readonly missing: (need: Requirement) => MissingRequirement | undefined;
  /**
   * Gets ready: makes or looks up users and keys.
   *
   * @throws RunTrouble when the target cannot be used
   */
  readonly prepare: (run: {
    readonly client: Client;
    readonly ledger: Ledger;
    readonly secrets: SecretMasker;
    readonly forget: () => void;
  }) => Promise<PreparedTarget>;
}
