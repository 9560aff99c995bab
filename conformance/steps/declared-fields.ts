import type { CheckContext } from "../check/context.js";
import { isRefused } from "../client/is-refused.js";
import type { NewRepository } from "../resources/resources.js";

/**
 * Whether entities are queried by fields that no schema declares, found out in a repository without schema: that every
 * field can be queried is nowhere said.
 */
export async function canQueryUndeclaredFields(context: CheckContext, databaseId: string): Promise<boolean> {
  const { resources } = context;
  const repositoryId = await resources.newRepository(databaseId);
  const path = { repositoryId };
  await context.call("createEntity", { setUp: true, path, body: { data: { k: 1 } } });
  const answers = [
    await context.call("queryEntities", {
      setUp: true,
      intent: "invalid",
      path,
      body: { filter: "k = :k", filterValues: { ":k": 1 } },
    }),
    await context.call("queryEntities", { setUp: true, intent: "invalid", path, body: { sortBy: "k" } }),
  ];
  await resources.remove("repository", repositoryId);
  return !answers.some(isRefused);
}

/** What a repository takes to be queried by some fields: their declaration, where no others can be queried. */
export async function createQueryableRepositoryInput(
  context: CheckContext,
  databaseId: string,
  schema: NonNullable<NewRepository["schema"]>,
): Promise<NewRepository> {
  return (await canQueryUndeclaredFields(context, databaseId)) ? {} : { schema };
}
