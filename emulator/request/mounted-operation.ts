import type { ContentObject, OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { type ListedOperation, listOperations } from "../../openapi/document/list-operations.js";
import type { Method } from "../../openapi/operations/operation.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Role, Scope } from "../../openapi/schemas/roles.js";
import type { AccessRule } from "../access/authorize.js";
import { type OptionalFields, findOptionalFields } from "./optional-fields.js";

/** A route to an operation as the document describes it, ready to be mounted. */
export interface MountedOperation<Id extends string = OperationId> {
  /** The operation that handles the route. A gap may allow several routes to it. */
  readonly operationId: Id;
  /** The `operationId` in the document, which is unique: `putItemVariant2` for the second route to `putItem`. */
  readonly routeId: string;
  readonly method: Method;
  /** Path, with `:name` for parameters. */
  readonly path: string;
  readonly isPublic: boolean;
  readonly access: AccessRule;
  /** With `sql`, errors in the request have the SQL error format. */
  readonly errorBody: "problem" | "sql";
  readonly hasBody: boolean;
  /** Fields of a JSON body for which null means that they are absent; undefined without any. */
  readonly optionalFields: OptionalFields | undefined;
  /** Media type of the body if it is a file; undefined if it is JSON or there is none. */
  readonly requestFile: string | undefined;
  readonly hasQuery: boolean;
  readonly queryParameters: readonly string[];
}

/** Reads the operations of a document, so that no other routes can exist. */
export function listMountedOperations<Id extends string = OperationId>(
  document: OpenAPIObject,
): readonly MountedOperation<Id>[] {
  return listOperations(document).map((listed) => mountOperation<Id>(listed, document));
}

function getRequestContent({ requestBody }: OperationObject): ContentObject {
  return requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
}

function mountOperation<Id extends string>(
  { method, path, operation }: ListedOperation,
  document: OpenAPIObject,
): MountedOperation<Id> {
  const { operationId: routeId, security = [] } = operation;
  if (routeId === undefined) throw new Error(`${method} ${path} has no operationId`);
  const schema = getRequestContent(operation)["application/json"]?.schema;
  const queryParameters = (operation.parameters ?? []).flatMap((parameter) =>
    "in" in parameter && parameter.in === "query" ? [parameter.name] : [],
  );
  const requirement = Object.assign({}, ...security) as { accessToken?: Role[]; apiKey?: Scope[] };
  let fields: { readonly found: OptionalFields | undefined } | undefined;
  return {
    operationId: operation["x-operation"] as Id,
    routeId,
    method,
    path: path.replace(/\{(\w+)\}/g, ":$1"),
    isPublic: security.length === 0,
    access: {
      roles: requirement.accessToken,
      roleIn: (operation["x-role-in"] ?? "none") as AccessRule["roleIn"],
      scope: requirement.apiKey === undefined ? undefined : (requirement.apiKey[0] ?? "any"),
      effect: operation["x-effect"] as AccessRule["effect"],
    },
    errorBody: operation["x-error-body"] === "sql" ? "sql" : "problem",
    hasBody: operation.requestBody !== undefined,
    // Compiled on first use, because most operations are never called in a process.
    get optionalFields() {
      fields ??= { found: schema === undefined ? undefined : findOptionalFields(schema, document) };
      return fields.found;
    },
    requestFile: Object.keys(getRequestContent(operation)).find((type) => type !== "application/json"),
    hasQuery: queryParameters.length > 0,
    queryParameters,
  };
}
