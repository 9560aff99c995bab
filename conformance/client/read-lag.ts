import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { parseJsonOrUndefined } from "./json-text.js";
import { sleep } from "./rate-limiter.js";

/** Delays reads until they show the last write. The target file declares the lag; the lag of lists is measured. */
export class ReadLag {
  readonly #lagMs: number;
  #listLagMs = 0;
  #lastWrite = -Infinity;
  #lastManagementWrite = -Infinity;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** Sets the measured lag of the lists of databases, repositories, organizations and members, in milliseconds. */
  setListLag(milliseconds: number): void {
    this.#listLagMs = Math.max(this.#listLagMs, milliseconds);
  }

  /** Records that there was a response to a request that may have written something. */
  recordWrite(operationId: OperationId | undefined): void {
    this.#lastWrite = Date.now();
    if (isManagement(operationId)) this.#lastManagementWrite = Date.now();
  }

  /** Waits until a read can show all recorded writes. */
  async wait(operationId: OperationId | undefined): Promise<void> {
    const isList = isManagement(operationId) && operationId?.startsWith("list") === true;
    const until = Math.max(
      this.#lastWrite + this.#lagMs,
      isList ? this.#lastManagementWrite + this.#listLagMs : 0,
    );
    for (let left = until - Date.now(); left > 0; left = until - Date.now()) await sleep(left);
  }
}

/** Whether an operation manages databases, repositories, organizations or members. */
function isManagement(operationId: OperationId | undefined): boolean {
  const routes = operationId === undefined ? undefined : serviceApi.operations[operationId].routes;
  return (
    routes !== undefined && "path" in routes && /^\/api\/v1\/(?:management|organizations)\b/.test(routes.path)
  );
}

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
