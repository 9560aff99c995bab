import type { ClauseId } from "../../openapi/clauses/register.js";
import type { CheckContext } from "./context.js";
import type { Requirement } from "../target/needs.js";

export { type ActorName, actorNames, type Requirement } from "../target/needs.js";

/** The areas of the specification that the suite is divided into, in the order they are run. */
export const areas = [
  "preconditions",
  "health",
  "session",
  "plans",
  "databases",
  "items",
  "batches",
  "transactions",
  "repositories",
  "entities",
  "sql",
  "organizations",
  "members",
  "billing",
  "access",
  "isolation",
  "limits",
  "concurrency",
  "sequences",
  "time",
] as const;
export type Area = (typeof areas)[number];

/** One thing to be found out about a deployment. Data, so that any runner can take it. */
export interface Check {
  /** `area/what-it-is-about`, for `--only` and replays. */
  readonly id: `${Area}/${string}`;
  readonly title: string;
  /** The clauses that the check exercises: each of them, on every complete run. None for a precondition. */
  readonly clauses: readonly ClauseId[];
  /** Whether the check looks for what the others take for granted: where that is not so, they are not run. */
  readonly isPrecondition?: true;
  readonly needs: readonly Requirement[];
  /** Whether nothing else may go on meanwhile, because the check looks at everything that there is. */
  readonly alone?: true;
  /** Checks to run first: where one of them has failed, a failure of this one says no more. */
  readonly after?: readonly Check["id"][];
  /**
   * Returns when all clauses held.
   *
   * @throws ClauseViolation when one does not hold
   */
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Says what a check is, for the compiler and the reader. */
export function defineChecks(...checks: readonly Check[]): readonly Check[] {
  return checks;
}

/** A check of those that work with the same thing; what it needs beside the others is all that it says. */
export interface SubjectCheck<Subject> extends Omit<Check, "needs" | "run"> {
  readonly needs?: readonly Requirement[];
  readonly run: (subject: Subject, context: CheckContext) => Promise<void>;
}

/** Says what checks are that need the same, and begin in the same way. */
export function defineChecksOn<Subject>(
  needs: readonly Requirement[],
  begin: (context: CheckContext) => Promise<Subject>,
) {
  return (...checks: readonly SubjectCheck<Subject>[]): readonly Check[] =>
    checks.map((check) => ({
      ...check,
      needs: [...needs, ...(check.needs ?? [])],
      run: async (context) => check.run(await begin(context), context),
    }));
}

/** The area a check belongs to. */
export function getArea({ id }: Pick<Check, "id">): Area {
  return id.slice(0, id.indexOf("/")) as Area;
}
