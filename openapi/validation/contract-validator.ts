import type { OpenAPIObject, ResponseObject } from "openapi3-ts/oas31";
import { SchemaCompiler } from "./schema-compiler.js";
import { explainMistakes } from "./explain-mistakes.js";
import { appendPointer } from "./json-pointer.js";
import {
  getBodySchemaPointer,
  getQueryParameters,
  type LocatedOperation,
  type LocatedParameter,
  locateOperations,
} from "./locate-operations.js";
import { type ProblemKind, getProblemType } from "../operations/problems.js";
import type { Violation } from "./violation.js";
import { memoize } from "../text/memoize.js";

/** The parts of a request that the contract describes. */
export interface RequestParts {
  /** Decoded path parameters. They always match the contract, because the request matched the route. */
  readonly path: Readonly<Record<string, string>>;
  /** Decoded query parameters. */
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body; `undefined` if there is none. */
  readonly body: unknown;
}

/** The parts of a response that the contract describes. */
export interface ResponseParts {
  readonly status: number;
  /** Looks up a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The parsed JSON body; `undefined` if the body is empty. */
  readonly body: unknown;
}

interface Operation extends LocatedOperation {
  readonly queryParameters: readonly LocatedParameter[];
  /** JSON pointer of the schema of the request body. */
  readonly bodySchema: string;
}

/**
 * Validates requests and responses against an OpenAPI document. To save time at startup, schemas are compiled, and Ajv is
 * loaded, on first use.
 */
export class ContractValidator {
  readonly #compiler: SchemaCompiler;
  readonly #operations: ReadonlyMap<string, Operation>;
  /** Compiles a schema, given its pointer, to a validator that stops at the first mistake. */
  readonly #compile = memoize((pointer: string) => this.#compiler.compile(pointer, false));
  /** Compiles a schema to a validator that finds all mistakes. */
  readonly #compileFully = memoize((pointer: string) => this.#compiler.compile(pointer, true));

  constructor(document: OpenAPIObject) {
    this.#compiler = new SchemaCompiler(document);
    this.#operations = new Map(
      locateOperations(document).map((located): [string, Operation] => {
        const bodySchema = getBodySchemaPointer(located);
        return [
          located.operationId,
          { ...located, queryParameters: getQueryParameters(located), bodySchema },
        ];
      }),
    );
  }

  /** Validates the query parameters and the body of a request. */
  validateRequest(operationId: string, { query, body }: RequestParts): Violation[] {
    const { operation, queryParameters, bodySchema } = this.#getOperation(operationId);
    const violations: Violation[] = [];
    for (const parameter of queryParameters)
      violations.push(...this.#validateQueryParameter(parameter, query[parameter.parameter.name]));
    if (operation.requestBody === undefined) return violations;
    if (body === undefined) violations.push({ in: "body", pointer: "", detail: "a JSON body is required" });
    else violations.push(...this.#validate(bodySchema, body, "body"));
    return violations;
  }

  /** Validates the status, content type, headers and body of a response. */
  validateResponse(operationId: string, parts: ResponseParts): Violation[] {
    const { operation, pointer } = this.#getOperation(operationId);
    const responses = operation.responses as Record<string, ResponseObject>;
    const key = [String(parts.status), `${Math.floor(parts.status / 100)}XX`].find(
      (name) => name in responses,
    );
    const declared = key === undefined ? undefined : responses[key];
    if (key === undefined || declared === undefined)
      return [{ in: "status", pointer: "", detail: `status ${parts.status} is not declared` }];
    const violations: Violation[] = [];
    for (const [name, header] of Object.entries(declared.headers ?? {}))
      if ("required" in header && header.required && parts.header(name.toLowerCase()) === undefined)
        violations.push({
          in: "header",
          pointer: `/${name}`,
          detail: "the header is missing",
          keyword: "required",
        });
    const { content } = declared;
    if (content === undefined) {
      if (parts.body !== undefined)
        violations.push({ in: "body", pointer: "", detail: "the body must be empty" });
      return violations;
    }
    const type = (parts.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
    if (!(type in content)) {
      if ("*/*" in content) return violations;
      const wanted = Object.keys(content).join(" or ");
      violations.push({ in: "header", pointer: "/Content-Type", detail: `must be ${wanted}, not "${type}"` });
      return violations;
    }
    const mistakes = this.#validate(
      `${appendPointer(`${pointer}/responses/${key}/content`, type)}/schema`,
      parts.body,
      "body",
    );
    if (mistakes.length === 0 && type === "application/problem+json")
      violations.push(...validateProblemType(parts.body, declared));
    return [...violations, ...mistakes];
  }

  #getOperation(operationId: string): Operation {
    const operation = this.#operations.get(operationId);
    if (operation === undefined) throw new Error(`the document has no operation ${operationId}`);
    return operation;
  }

  #validateQueryParameter(
    { parameter: { name, required, schema = {} }, pointer: schemaPointer }: LocatedParameter,
    text: string | undefined,
  ): readonly Violation[] {
    const pointer = `/${name}`;
    if (text === undefined)
      return required ? [{ in: "query", pointer, detail: "the parameter is required" }] : [];
    const isNumber = "type" in schema && schema.type === "integer" && /^-?\d+$/.test(text);
    const violations = this.#validate(schemaPointer, isNumber ? Number(text) : text, "query");
    return violations.map((violation) => ({ ...violation, pointer }));
  }

  #validate(schemaPointer: string, value: unknown, place: "body" | "query"): readonly Violation[] {
    const validate = this.#compile(schemaPointer);
    if (validate(value)) return [];
    const findAllErrors = () => {
      const validateFully = this.#compileFully(schemaPointer);
      validateFully(value);
      return validateFully.errors;
    };
    return explainMistakes(value, validate.errors, findAllErrors, place);
  }
}

/** Validates requests. A document without responses is sufficient for it. */
export type RequestValidator = Pick<ContractValidator, "validateRequest">;

/** All problems with a status share a schema; `x-problems` lists the kinds that an operation can return. */
function validateProblemType(body: unknown, { "x-problems": kinds }: ResponseObject): readonly Violation[] {
  const types = ((kinds ?? []) as readonly ProblemKind[]).map(getProblemType);
  const { type } = body as { readonly type: string };
  if (types.includes(type)) return [];
  return [{ in: "body", pointer: "/type", detail: `must be ${types.join(" or ")}, not "${type}"` }];
}
