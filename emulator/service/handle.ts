import type { OperationId } from "../../openapi/operations/register.js";
import type { HandlerContext } from "../handlers/handler.js";
import { serviceHandlers } from "../handlers/register.js";
import { stringifyBody } from "../json/stringify-body.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { formatHttpDate } from "../time/http-date.js";
import { respond, getTime } from "./respond.js";
import { isPageView, type ServiceContext } from "./service-env.js";

type AnyHandler = (
  request: unknown,
  context: HandlerContext,
) => { readonly status: number; readonly body?: unknown };

const handlers = serviceHandlers as unknown as Readonly<Record<OperationId, AnyHandler>>;
/** Handlers that need no transaction, because nothing can fail after their first write. */
const writesLast: ReadonlySet<OperationId> = new Set<OperationId>([
  "batchWriteItems",
  "putItem",
  "deleteItem",
  "deleteItemWithSortKey",
  "createEntity",
  "updateEntity",
  "deleteEntity",
]);

/** Calls the handler of the operation, in a transaction if it writes. An error rolls the transaction back. */
export function handle(c: ServiceContext, { operationId, method, access }: MountedOperation): Response {
  const { effect } = access;
  const { store, clock, ids, tokens, profile } = c.get("world");
  const now = getTime(c);
  // Spreading the world would take longer than some handlers.
  const context: HandlerContext = {
    store,
    clock,
    ids,
    tokens,
    profile,
    caller: c.get("caller"),
    now,
    fault: c.get("requestFaults")?.takeHandlerFault,
    baseUrl: c.get("target").baseUrl,
  };
  if (effect === "write" && method !== "delete") store.reserve(c.get("read")?.bytes.length ?? 0);
  const work = () => handlers[operationId](c.get("input"), context);
  const { status, body } = isPageView(c)
    ? store.preview(work)
    : effect === "read"
      ? work()
      : writesLast.has(operationId)
        ? store.single(work)
        : store.transaction(work);
  const Date = formatHttpDate(now);
  return body === undefined
    ? respond(c, { status, headers: { Date }, body: null })
    : respond(c, {
        status,
        headers: { "Content-Type": "application/json", Date },
        body: stringifyBody(body),
      });
}
