import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { parseJsonOrUndefined } from "./json-text.js";

/** Whether a request may write. SQL has one operation for reads and writes, so the statement decides. */
export function isWrite(method: string, body: unknown, operationId: OperationId | undefined): boolean {
  if (operationId === "runSqlQuery") return !isSelect(body);
  if (operationId !== undefined) return serviceApi.operations[operationId].effect === "write";
  return !["GET", "HEAD", "OPTIONS"].includes(method);
}

/** Whether the body of an SQL query, as an object or text, contains a SELECT. */
function isSelect(body: unknown): boolean {
  const value = typeof body === "string" ? parseJsonOrUndefined(body) : body;
  const { sql } = (value ?? {}) as { readonly sql?: unknown };
  return typeof sql === "string" && /^\s*select\b/i.test(sql);
}
