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

/**
 * The repository of this id, if the caller's organization owns its database (clause GEN-05) and the data of that
 * can be worked with. Paths of entities name no database: it is found through the repository.
 */
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

/** The problem of a repository that is not there, or that the caller may not know of. */
export function createRepositoryNotFoundProblem(context: HandlerContext): Problem {
  return new Problem(
    "repository-not-found",
    `There is no repository with this id. ${describeCredential(context)}`,
  );
}
