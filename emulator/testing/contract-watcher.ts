import { ContractValidator, type ResponseParts } from "../../openapi/validation/contract-validator.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import type { Contract } from "../request/get-contract.js";

interface Watched {
  readonly routeId: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: number;
}

/** Holds every answer against the strict document of a profile or of the control plane, whatever test caused it. */
export class ContractWatcher {
  readonly #validator: ContractValidator;
  readonly #operations: readonly Watched[];

  constructor({ document }: Pick<Contract, "document">) {
    this.#validator = new ContractValidator(document);
    this.#operations = listMountedOperations(document)
      .map(({ routeId, method, path }) => ({
        routeId,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`),
        parameters: path.split(":").length,
      }))
      .sort((a, b) => a.parameters - b.parameters);
  }

  /**
   * @param path the raw path of the request, without the query
   * @throws Error when the answer is not one that the document declares
   */
  check(method: string, path: string, response: ResponseParts): void {
    const at = (given: string) =>
      this.#operations.find((known) => known.method === method && known.pattern.test(given));
    const nothingThere = [400, 404, 405].includes(response.status);
    // a slash at the end may lead to the operation without it (gap `trailing-slash`)
    const operation = at(path) ?? (nothingThere ? undefined : at(path.replace(/\/$/, "")));
    if (operation === undefined) {
      if (nothingThere) return;
      throw new Error(`${method} ${path} is no operation, yet it was answered with ${response.status}`);
    }
    const violations = this.#validator.validateResponse(operation.routeId, response);
    if (violations.length > 0)
      throw new Error(
        `${operation.routeId} answered ${response.status} against the contract: ${JSON.stringify(violations)}\n` +
          JSON.stringify(response.body),
      );
  }
}
