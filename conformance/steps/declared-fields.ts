import type { CheckContext } from "../check/context.js";
import type { KnownEntity } from "../models/entities.js";
import type { NewRepository } from "../resources/resources.js";
import { EntityClient } from "./entity-client.js";

/**
 * Finds out, in a repository without a schema, whether entities can be queried by undeclared fields: the specification
 * does not say that every field can be queried.
 */
export async function canQueryUndeclaredFields(context: CheckContext, databaseId: string): Promise<boolean> {
  const entities = await EntityClient.withNewRepository(context, databaseId);
  const path = { repositoryId: entities.repositoryId };
  for (const k of [2, 1, 3]) await entities.add({ k });
  const query = async (body: object) => {
    const response = await context.call("queryEntities", {
      setUp: true,
      intent: "may-be-refused",
      path,
      body,
    });
    const found = (response.body?.entities ?? []) as readonly KnownEntity[];
    return found.map(({ data }) => data.k).join();
  };
  const found = await query({ filter: "k = :k", filterValues: { ":k": 1 } });
  const sorted = await query({ sortBy: "k" });
  await context.resources.remove("repository", entities.repositoryId);
  // The field may be ignored without being refused.
  return found === "1" && ["1,2,3", "3,2,1"].includes(sorted);
}

/** Creates the input for a repository that can be queried by the given fields; declares the fields if necessary. */
export async function createQueryableRepositoryInput(
  context: CheckContext,
  databaseId: string,
  schema: NonNullable<NewRepository["schema"]>,
): Promise<NewRepository> {
  return (await canQueryUndeclaredFields(context, databaseId)) ? {} : { schema };
}
