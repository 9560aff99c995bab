import type { ClauseId } from "../../../openapi/clauses/register.js";
import { getRoutes } from "../../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../../openapi/operations/register.js";
import { getPathParameters } from "../../../openapi/text/path-template.js";
import type { CheckContext } from "../../check/context.js";
import type { ApiResponse, CallOptions } from "../../client/client.js";
import { accessTable, type CreateRequest } from "./access-table.js";
import { readUntil } from "../../steps/read-until.js";

/** Ids of the resources that all checks share, by path parameter. */
const sharedIds: Readonly<Record<string, (context: CheckContext) => Promise<string>>> = {
  databaseId: ({ resources }) => resources.getDatabase(),
  repositoryId: ({ resources }) => resources.getRepository(),
  organizationId: ({ actors }) => actors.getOrganizationId("owner"),
};

/** Lists the path parameters of an operation. */
export function listPathParameters(operationId: OperationId): readonly string[] {
  const routes = getRoutes(serviceApi.operations[operationId]);
  return [...new Set(routes.flatMap(({ path }) => getPathParameters(path)))];
}

/** Creates a valid request for an operation; returns undefined if this is not possible. */
async function createValidCall(
  context: CheckContext,
  operationId: OperationId,
  request: CreateRequest | undefined,
): Promise<CallOptions | undefined> {
  const given = request === undefined ? {} : await request(context);
  if (given === undefined) return undefined;
  const path: Record<string, string> = { ...given.path };
  for (const name of listPathParameters(operationId))
    if (sharedIds[name] !== undefined) path[name] ??= await sharedIds[name](context);
  return { ...given, path };
}

/**
 * Creates the valid requests for an operation, and does work with each. Does nothing if the target does not offer the
 * operation or the request cannot be created.
 */
export async function withValidCall(
  context: CheckContext,
  operationId: OperationId,
  work: (call: CallOptions) => Promise<void>,
): Promise<void> {
  const { needs = [], request, otherRequests = [] } = accessTable[operationId];
  if (needs.some((need) => !context.offers(need))) return;
  await context.resources.withLocks(needs, async () => {
    for (const create of [request, ...otherRequests]) {
      const call = await createValidCall(context, operationId, create);
      if (call !== undefined) await work(call);
    }
    // The number of these resources may be limited.
    if (needs.length > 0) await context.resources.removeCreated();
  });
}

/** Asserts that a successful read shows the data that exists, and that a successful write had an effect. */
export async function assertEffect(
  context: CheckContext,
  clause: ClauseId,
  operationId: OperationId,
  { path = {}, ...call }: CallOptions,
  { body, text }: ApiResponse,
): Promise<void> {
  const { shows = "", hadNoEffect } = accessTable[operationId];
  const isWhole = (body?.nextCursor ?? body?.unprocessedKeys ?? null) === null;
  context.assert(clause, !isWhole || text.includes(shows), "the data that exists", text);
  // A batch or transaction of a caller who need not be allowed to write may fail.
  if (hadNoEffect === undefined || (body?.successCount ?? 1) === 0) return;
  const created = {
    ...(body?.id === undefined ? {} : { entityId: body.id as string }),
    ...(body?.repositoryId === undefined ? {} : { repositoryId: body.repositoryId as string }),
  };
  const read = () => hadNoEffect(context, { ...call, path: { ...created, ...path } }, true);
  const isLost = await readUntil(context, read, (hasNoEffect) => !hasNoEffect);
  context.assert(clause, !isLost, "the request has an effect", "nothing has changed");
}

/** Asserts that a refused request had no effect, if the table says how to find out. */
export async function assertNoEffect(
  context: CheckContext,
  clause: ClauseId,
  operationId: OperationId,
  call: CallOptions,
): Promise<void> {
  const hadNoEffect = (await accessTable[operationId].hadNoEffect?.(context, call, false)) ?? true;
  context.assert(clause, hadNoEffect, "the refused request has no effect", "the operation was executed");
}
