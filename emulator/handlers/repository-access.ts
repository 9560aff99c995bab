import { revealsForeignResources } from "../access/authorize.js";
import { Problem } from "../domain/problem.js";
import type { DatabaseSummary } from "../store/databases.js";
import type { RepositoryRow } from "../store/repositories.js";
import { getCallerOrganizationId, rejectUnavailableDatabase, describeCredential } from "./database-access.js";
import type { HandlerContext } from "./handler.js";

export interface RepositoryInDatabase {
  readonly repository: RepositoryRow;
  readonly database: DatabaseSummary;
}

/** Finds a repository in a database of the caller's organization (clause GEN-05) whose data is available. */
export function findUsableRepository(repositoryId: string, context: HandlerContext): RepositoryInDatabase {
  const { store } = context;
  const repository = store.repositories.byId(repositoryId);
  const database = repository === undefined ? undefined : store.databases.findByRef(repository.databaseRef);
  if (repository === undefined || database === undefined) throw createRepositoryNotFoundProblem(context);
  if (database.organizationId !== getCallerOrganizationId(context)) {
    if (revealsForeignResources(context))
      throw new Problem(
        "foreign-resource",
        `The repository belongs to another organization. ${describeCredential(context)}`,
      );
    throw createRepositoryNotFoundProblem(context);
  }
  rejectUnavailableDatabase(database, context);
  return { repository, database };
}

/** Creates the problem for a repository that does not exist, or that the caller must not know about. */
export function createRepositoryNotFoundProblem(context: HandlerContext): Problem {
  return new Problem(
    "repository-not-found",
    `There is no repository with this id. ${describeCredential(context)}`,
  );
}
