import type { CheckContext } from "../check/context.js";
import { isClientError } from "../client/is-client-error.js";
import type { NewRepository } from "../resources/resources.js";

/**
 * Finds out, in a repository without a schema, whether entities can be queried by undeclared fields: the specification
 * does not say that every field can be queried.
 */
export async function canQueryUndeclaredFields(context: CheckContext, databaseId: string): Promise<boolean> {
  const { resources } = context;
  const repositoryId = await resources.createRepository(databaseId);
  const path = { repositoryId };
  await context.call("createEntity", { setUp: true, path, body: { data: { k: 1 } } });
  const responses = [
    await context.call("queryEntities", {
      setUp: true,
      intent: "invalid",
      path,
      body: { filter: "k = :k", filterValues: { ":k": 1 } },
    }),
    await context.call("queryEntities", { setUp: true, intent: "invalid", path, body: { sortBy: "k" } }),
  ];
  await resources.remove("repository", repositoryId);
  return !responses.some(isClientError);
}

/** Creates the input for a repository that can be queried by the given fields; declares the fields if necessary. */
export async function createQueryableRepositoryInput(
  context: CheckContext,
  databaseId: string,
  schema: NonNullable<NewRepository["schema"]>,
): Promise<NewRepository> {
  return (await canQueryUndeclaredFields(context, databaseId)) ? {} : { schema };
}
