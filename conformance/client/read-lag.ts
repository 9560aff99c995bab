import { type OperationId, service } from "../../openapi/operations/register.js";
import { sleep } from "./pace.js";

/** Waits before reads until a declared lag behind the last write is over. */
export class ReadLag {
  readonly #lagMs: number;
  #lastWrite = -Infinity;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  /** A request that may have written was answered. */
  written(): void {
    this.#lastWrite = Date.now();
  }

  /** Returns when a read can show what was written. */
  async wait(): Promise<void> {
    for (let left = this.#left(); left > 0; left = this.#left()) await sleep(left);
  }

  #left(): number {
    return this.#lastWrite + this.#lagMs - Date.now();
  }
}

/** Whether a request may write. SQL goes through one operation for both, told apart by the statement. */
export function isWrite(method: string, body: unknown, operationId: OperationId | undefined): boolean {
  if (operationId === "runSqlQuery") return !isSelect(body);
  if (operationId !== undefined) return service.operations[operationId].effect === "write";
  return method !== "GET";
}

/** Whether the body of an SQL query, as an object or as its text, holds a SELECT. */
function isSelect(body: unknown): boolean {
  if (typeof body === "string") return /"sql"\s*:\s*"\s*select\b/i.test(body);
  const { sql } = (body ?? {}) as { readonly sql?: unknown };
  return typeof sql === "string" && /^\s*select\b/i.test(sql);
}
