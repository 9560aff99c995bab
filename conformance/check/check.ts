import type { ClauseId } from "../../openapi/clauses/register.js";
import type { CheckContext } from "./context.js";
import type { Requirement } from "../target/requirements.js";

/** The areas of the suite, in the order in which they run. */
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

/** A check of a deployment, as data that any runner can use. */
export interface Check {
  /** `area/name`, used by `--only` and replays. */
  readonly id: `${Area}/${string}`;
  readonly title: string;
  /** The clauses that every complete run of the check exercises; a precondition has none. */
  readonly clauses: readonly ClauseId[];
  /** Whether all other checks depend on this one; they do not run if it fails. */
  readonly isPrecondition?: true;
  readonly needs: readonly Requirement[];
  /** Whether the check must run alone, because it observes the deployment as a whole. */
  readonly alone?: true;
  /** Checks to run first; if one of them fails, this check is blocked rather than failed. */
  readonly after?: readonly Check["id"][];
  /**
   * Runs the check; returns if all clauses hold.
   *
   * @throws ClauseViolation when a clause does not hold
   */
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Defines a check. */
export function defineChecks(...checks: readonly Check[]): readonly Check[] {
  return checks;
}

/** A check in a group that works with the same subject; `needs` lists only its additional requirements. */
export interface SubjectCheck<Subject> extends Omit<Check, "needs" | "run"> {
  readonly needs?: readonly Requirement[];
  readonly run: (subject: Subject, context: CheckContext) => Promise<void>;
}

/** Creates a function that defines checks with the same requirements and the same subject. */
export function defineChecksWithSubject<Subject>(
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

/** Returns the area of a check. */
export function getArea({ id }: Pick<Check, "id">): Area {
  return id.slice(0, id.indexOf("/")) as Area;
}
