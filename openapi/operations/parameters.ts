import type { ParameterObject } from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import { SchemaBuilder } from "../schemas/schema-builders.js";
import { buildCursorSchema, buildPageLimitSchema } from "../schemas/shared-schemas.js";

/** Describes paging, for the operations that have pages. */
export const pagingDescription =
  "To get the next page, pass the current page's `nextCursor` as `cursor` and leave the rest of the request unchanged. `nextCursor` is " +
  "null on the last page. `limit` defaults to 20.";

interface PathParameter {
  readonly description: string;
  /** An id from the demo fixture, if it has one. */
  readonly example: string;
}

const pathParameters: Readonly<Record<string, PathParameter>> = {
  databaseId: { description: "Id of the database.", example: "db_demo" },
  tableName: {
    description: "Name of the table, as in the list of tables, percent-encoded.",
    example: "page_views",
  },
  userId: { description: "Id of the user.", example: "user_1c9d" },
  apiKeyId: { description: "Id of the API key.", example: "key_4h2s" },
  repositoryId: { description: "Id of the repository.", example: "repo_demo_products" },
  entityId: { description: "Id of the entity.", example: "ent_demo_teapot" },
  organizationId: { description: "Id of the organization.", example: "org_demo_pro" },
  checkoutId: { description: "Id of the checkout.", example: "checkout_1b5z" },
  memberId: {
    description:
      "Id of the member: a user id, an email address (percent-encoded) or another id; see the gap `member-id`.",
    example: "user_demo_member",
  },
  planId: { description: "Id of the plan.", example: "plan_free" },
  name: { description: "Name of the namespace or snapshot.", example: "seeded" },
  faultId: { description: "Id of the fault rule.", example: "fault_6m3x" },
  pk: { description: "Partition key, percent-encoded.", example: "customer#ada" },
  sk: { description: "Sort key, percent-encoded.", example: "order#2029-12-30" },
};

/** @throws Error if a path has a parameter that is not described here */
export function getPathParameter(name: string): PathParameter {
  const found = pathParameters[name];
  if (found === undefined) throw new Error(`the path parameter ${name} has no description in parameters.ts`);
  return found;
}

/** Builds an optional query parameter. */
export function buildQueryParameter(
  name: string,
  schema: ParameterObject["schema"] & object,
  description: string,
): ParameterObject {
  return { name, in: "query", required: false, description, schema };
}

/** Builds the query parameters of paginated lists. */
export function buildPageParameters(strictness: Strictness): readonly ParameterObject[] {
  const builder = new SchemaBuilder(strictness);
  const first = "Omit it to get the first page.";
  return [
    buildQueryParameter("limit", buildPageLimitSchema(builder), "Maximum number of entries on the page."),
    buildQueryParameter(
      "cursor",
      buildCursorSchema(builder, first),
      `\`nextCursor\` of the previous page. ${first}`,
    ),
  ];
}
