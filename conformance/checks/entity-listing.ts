import type { ClauseId } from "../../openapi/clauses/register.js";
import { defineChecksOn } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import type { KnownEntity } from "../models/entities.js";
import type { Listing } from "../steps/pages.js";
import { isNear } from "../steps/timestamps.js";

/** Defines checks on repositories of the database that all checks share. */
export const defineRepositoryChecks = defineChecksOn(["database", "repositories"], ({ resources }) =>
  resources.database(),
);

/** The entities of a repository by GET, or by a query where there is one. */
export function entitiesOf(repositoryId: string, query?: Readonly<Record<string, unknown>>): Listing {
  return {
    operationId: query === undefined ? "listEntities" : "queryEntities",
    path: { repositoryId },
    member: "entities",
    id: "id",
    limitClause: "REPO-34",
    ...(query === undefined ? {} : { body: query }),
  };
}

/** Asserts that an entity is shown as it is known; what else is shown of it is not said. */
export function assertSameEntity(
  context: CheckContext,
  clause: ClauseId,
  seen: Partial<KnownEntity>,
  known: KnownEntity | undefined,
): void {
  context.assertEqual(clause, seen.id, known?.id, "id");
  context.assertEqual(clause, seen.data, known?.data, "data");
  for (const member of ["createdAt", "updatedAt"] as const)
    context.assert(
      clause,
      isNear(seen[member], known?.[member]),
      `${member} ${known?.[member] ?? "unknown"}`,
      seen[member],
    );
  if (typeof known?.version === "number" && typeof seen.version === "number")
    context.assertEqual(clause, seen.version, known.version, "version");
}
