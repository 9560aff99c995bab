import type { ValidateFunction } from "ajv";
import type { OpenAPIObject, OperationObject, ResponseObject } from "openapi3-ts/oas31";
import { SchemaCompiler } from "./schema-compiler.js";
import { explainMistakes } from "./explain-mistakes.js";
import { appendPointer } from "./json-pointer.js";
import { getBodySchemaPointer, locateOperations, getQueryParameters } from "./locate-operations.js";
import { type ProblemKind, getProblemType } from "../operations/problems.js";
import type { Violation } from "./violation.js";
import { memoize } from "../text/memoize.js";

export type { Violation } from "./violation.js";

/** The parts of a request that the contract speaks about. Parameters are the decoded text of the request. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body; `undefined` when there is none. */
  readonly body: unknown;
}

/** The parts of an answer that the contract speaks about. */
export interface ResponseParts {
  readonly status: number;
  /** Looks up a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** The parsed JSON body; `undefined` when the body is empty. */
  readonly body: unknown;
}

interface Located {
  readonly operation: OperationObject;
  /** JSON pointer of the operation in the document. */
  readonly pointer: string;
  /** Checks the body of a request; compiled when it is first needed. */
  body?: Compiled;
}

interface QueryParameter {
  readonly name: string;
  readonly required: boolean;
  readonly numeric: boolean;
  readonly schema: () => Compiled;
}

/** A schema of the document. */
interface Compiled {
  /** Stops at the first mistake. */
  readonly validate: ValidateFunction;
  readonly pointer: string;
}

/**
 * Validates requests and answers against an OpenAPI document, by operationId. A schema is compiled when it is
 * first needed, and Ajv itself is loaded with the first of them, because both cost start-up time.
 */
export class ContractValidator {
  readonly #compiler: SchemaCompiler;
  readonly #operations = new Map<string, Located>();
  readonly #compile = memoize((pointer: string): Compiled => ({
    validate: this.#compiler.compile(pointer, false),
    pointer,
  }));
  /** Those that find all mistakes; made when there are some. */
  readonly #compileThoroughly = memoize((pointer: string) => this.#compiler.compile(pointer, true));
  readonly #queryParametersOf = memoize((located: Located): readonly QueryParameter[] =>
    getQueryParameters(located).map(({ parameter: { name, required, schema }, pointer }) => ({
      name,
      required: required === true,
      numeric: schema !== undefined && "type" in schema && schema.type === "integer",
      schema: () => this.#compile(pointer),
    })),
  );

  constructor(document: OpenAPIObject) {
    this.#compiler = new SchemaCompiler(document);
    for (const { operationId, operation, pointer } of locateOperations(document))
      this.#operations.set(operationId, { operation, pointer });
  }

  /** Validates the query parameters and the body of a request. */
  validateRequest(operationId: string, parts: RequestParts): Violation[] {
    const located = this.#locate(operationId);
    const { operation } = located;
    const violations: Violation[] = [];
    for (const parameter of this.#queryParametersOf(located))
      violations.push(...this.#checkQueryParameter(parameter, parts.query[parameter.name]));
    if (operation.requestBody === undefined) return violations;
    if (parts.body === undefined)
      violations.push({ in: "body", pointer: "", detail: "a JSON body is required" });
    else {
      const schema = (located.body ??= this.#compile(getBodySchemaPointer(located)));
      if (!schema.validate(parts.body)) violations.push(...this.#explain(schema, parts.body, "body"));
    }
    return violations;
  }

  /** Validates status, content type, headers and body of an answer. */
  validateResponse(operationId: string, parts: ResponseParts): Violation[] {
    const { operation, pointer } = this.#locate(operationId);
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
    const schema = this.#compile(`${appendPointer(`${pointer}/responses/${key}/content`, type)}/schema`);
    if (!schema.validate(parts.body)) violations.push(...this.#explain(schema, parts.body, "body"));
    else if (type === "application/problem+json") violations.push(...checkKind(parts.body, declared));
    return violations;
  }

  #locate(operationId: string): Located {
    const located = this.#operations.get(operationId);
    if (located === undefined) throw new Error(`the document has no operation ${operationId}`);
    return located;
  }

  #checkQueryParameter(parameter: QueryParameter, given: string | undefined): Violation[] {
    const pointer = `/${parameter.name}`;
    if (given === undefined)
      return parameter.required ? [{ in: "query", pointer, detail: "the parameter is required" }] : [];
    const value = parameter.numeric && /^-?\d+$/.test(given) ? Number(given) : given;
    const schema = parameter.schema();
    if (schema.validate(value)) return [];
    return this.#explain(schema, value, "query").map((violation) => ({ ...violation, pointer }));
  }

  /** What is wrong with a value that the schema has just refused. */
  #explain({ validate, pointer }: Compiled, value: unknown, place: "body" | "query"): readonly Violation[] {
    const findAll = () => {
      const thorough = this.#compileThoroughly(pointer);
      thorough(value);
      return thorough.errors;
    };
    return explainMistakes(value, validate.errors, findAll, place);
  }
}

/** As much as requests are held against, which needs no more than what a document says of them. */
export type RequestValidator = Pick<ContractValidator, "validateRequest">;

/** The schema of a problem is that of its status; which kinds an operation has is said beside it. */
function checkKind(body: unknown, { "x-problems": kinds }: ResponseObject): readonly Violation[] {
  const types = ((kinds ?? []) as readonly ProblemKind[]).map(getProblemType);
  const { type } = body as { readonly type: string };
  if (types.includes(type)) return [];
  return [{ in: "body", pointer: "/type", detail: `must be ${types.join(" or ")}, not "${type}"` }];
}
