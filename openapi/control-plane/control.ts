import type { Access, OperationDefinition } from "../operations/operation.js";
import type { ProblemKind } from "../operations/problems.js";

const access: Access = { kind: "public" };

type Rest = Pick<OperationDefinition, "summary" | "routes" | "effect" | "successes" | "example"> &
  Partial<OperationDefinition>;

/** Control-plane calls need no credential: they are reachable from this machine only, and bind to no clause. */
export function control(rest: Rest): OperationDefinition {
  const problems: readonly ProblemKind[] = ["not-local", ...(rest.problems ?? [])];
  return { tag: "Control plane", access, clauses: [], ...rest, problems };
}
