import type { OperationId } from "../../openapi/operations/register.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { LoginName, Session } from "../target/actors.js";
import type { Need } from "../target/needs.js";

/** Where a side finds a value that is another one on each side. */
export type Source =
  /** A place in the answer to an earlier command of the history. */
  | { readonly from: "answer"; readonly command: number; readonly pointer: string }
  /** The session of a user, as it was at its first use in the history. */
  | { readonly from: "session"; readonly of: LoginName; readonly member: keyof Session }
  | {
      readonly from: "login";
      readonly of: LoginName;
      readonly member: "email" | "password" | "organizationId";
    }
  | { readonly from: "key"; readonly of: Scope | "expired" }
  /** What all histories share. */
  | { readonly from: "shared"; readonly what: "database" | "repository" | "region" }
  /** What a target names for observers. */
  | { readonly from: "extra"; readonly what: "unavailableDatabaseId" | "deadUrl" };

/** A value in a request that has to be found out; where it is shown in several places, any of them will do. */
export interface Reference {
  readonly sources: readonly Source[];
  /** What is done to the value before it is sent. */
  readonly change?:
    | { readonly kind: "upper-case" }
    /** An instant so much later, or earlier. */
    | { readonly kind: "later"; readonly milliseconds: number }
    /** So many characters are left out at a place, which is counted from the start or the end, and others put in. */
    | {
        readonly kind: "edit";
        readonly from: "start" | "end";
        readonly at: number;
        readonly cut: number;
        readonly between: string;
      };
}

/** A text of a request: what it is on every side, and what is found out. */
export type Template = readonly (string | Reference)[];

/** One thing that a history does. */
export interface Command {
  /** Its number in the history; kept when others are left out. */
  readonly number: number;
  /** The part of the history that it belongs to, which stands for itself beside the first part. */
  readonly segment: number;
  readonly does:
    | {
        readonly kind: "call";
        readonly operationId: OperationId;
        readonly path: Readonly<Record<string, Template>>;
        readonly query: Readonly<Record<string, Template>>;
        /** Another base URL. */
        readonly at?: Template;
      }
    /** A request that no operation has, to a path of the contract. */
    | { readonly kind: "send"; readonly method: string; readonly target: Template }
    | { readonly kind: "control"; readonly method: string; readonly target: Template }
    /** Waits until a database is Active, or is gone. */
    | { readonly kind: "await"; readonly until: "ready" | "gone"; readonly databaseId: Template }
    | { readonly kind: "pause"; readonly milliseconds: number };
  readonly caller: string;
  /** The header of this name, whole. */
  readonly authorization?: Template;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Template;
  readonly isValid: boolean;
  readonly impatient?: true;
  readonly unpaced?: true;
}

/** A sequence of commands that can be run on any deployment that offers what it needs. */
export interface History {
  /** The check or the observer that it comes from, or the file. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Need[];
  readonly commands: readonly Command[];
}
