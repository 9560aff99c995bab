import { ContractValidator, type ResponseParts } from "../../openapi/validation/contract-validator.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import type { Contract } from "../request/get-contract.js";

interface Watched {
  readonly routeId: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: number;
}

/** Validates responses against the strict document of a profile or of the control plane. */
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
   * @throws Error if the document does not declare the response
   */
  check(method: string, path: string, response: ResponseParts): void {
    const at = (given: string) =>
      this.#operations.find((known) => known.method === method && known.pattern.test(given));
    const nothingThere = [400, 404, 405].includes(response.status);
    // a path with a trailing slash may lead to the operation without the slash (gap `trailing-slash`)
    const operation = at(path) ?? (nothingThere ? undefined : at(path.replace(/\/$/, "")));
    if (operation === undefined) {
      if (nothingThere) return;
      throw new Error(
        `${method} ${path} is not an operation, but the response has the status ${response.status}`,
      );
    }
    const violations = this.#validator.validateResponse(operation.routeId, response);
    if (violations.length > 0)
      throw new Error(
        `${operation.routeId} returned ${response.status}, which violates the contract: ${JSON.stringify(violations)}\n` +
          JSON.stringify(response.body),
      );
  }
}
