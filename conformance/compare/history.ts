import type { Exchange, CallBehavior } from "../client/exchange.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { LoginName, Session } from "../target/actors.js";
import type { Requirement } from "../target/needs.js";

/** A value that every target has in its own form, and that was there before the history. */
export type SharedValue =
  | { readonly from: "session"; readonly of: LoginName; readonly field: keyof Session }
  | {
      readonly from: "login";
      readonly of: LoginName;
      readonly field: "email" | "password" | "organizationId";
    }
  | { readonly from: "key"; readonly of: Scope | "expired" }
  | { readonly from: "resource"; readonly field: "databaseId" | "repositoryId" | "region" }
  /** What a target names for observers. */
  | { readonly from: "extra"; readonly field: "unavailableDatabaseId" | "deadUrl" };

/** What all histories of one recording have in common. */
export interface Recording {
  /** The run id: all names made while recording begin with it. */
  readonly run: string;
  readonly baseUrl: string;
  readonly shared: ReadonlyMap<string, SharedValue>;
}

/** A value in a recorded answer that is different on each target. */
export interface ShownValue {
  readonly pointer: string;
  readonly value: string;
}

/** A request as it was recorded. */
export interface Step {
  /** Position in the recorded history; kept when other steps are left out. */
  readonly number: number;
  /** Steps of one segment stand for themselves, beside those of the first one. */
  readonly segment: number;
  /** `await` waits until a database is ready or gone, `send` sends to a path that is no operation's. */
  readonly kind: "call" | "send" | "control" | "await";
  readonly exchange: Exchange;
  readonly manner: CallBehavior;
  readonly shows: readonly ShownValue[];
  /** Numbers of the steps whose answers show a value that this request sends. */
  readonly uses: readonly number[];
}

/** A sequence of requests that can be sent to any target that offers what it needs. */
export interface History {
  /** The check or the observer that it comes from, or the file. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Requirement[];
  readonly steps: readonly Step[];
  /** Every value that some answer of the recorded history shows. */
  readonly values: ReadonlySet<string>;
  readonly recording: Recording;
}

/** Whether a step moves an emulator's clock. */
export function isOfClock({ kind, exchange }: Pick<Step, "kind" | "exchange">): boolean {
  return kind === "control" && exchange.request.url.endsWith("/clock");
}
