import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { sleep } from "./time-source.js";

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
