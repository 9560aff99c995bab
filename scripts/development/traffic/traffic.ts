import { problemStatus } from "../../../openapi/document/problem-responses.js";
import type { ProblemKind } from "../../../openapi/operations/problems.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import type { OperationId } from "../../../openapi/operations/register.js";
import type { World } from "./traffic-world.js";

/** One request of an operation, as far as it differs from the operation's example, and the status it must get. */
export interface Call {
  readonly status: number;
  /** Path and query parameters. */
  readonly parameters?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** In place of the owner's access token; null for none. */
  readonly credential?: string | null;
  /** Brings the emulator into the state that the answer needs. */
  readonly before?: () => void | Promise<void>;
}

/** The calls of some operations. */
export type Traffic<Ids extends OperationId> = Readonly<Record<Ids, readonly Call[]>>;

export function refused(kind: ProblemKind): number {
  return problemStatus(kind, defaultProfile);
}

/** A call while the database of the world is not in service. */
export function unavailable({ emulator, ids }: World): Call {
  return {
    status: refused("database-unavailable"),
    before: () => void emulator.databases.change(ids.databaseId, { status: "Inactive" }),
  };
}
