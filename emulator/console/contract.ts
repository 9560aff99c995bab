import type { OpenAPIObject, OperationObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { listOperations } from "../../openapi/document/list-operations.js";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { getPathParameters } from "../../openapi/text/path-template.js";
import { getControlContract } from "../control/check-control-call.js";
import { rawJson, stringifyBody } from "../json/stringify-body.js";
import { getContract } from "../request/get-contract.js";
import { RejectedRequestError } from "./rejected-request-error.js";

/** An operation of the service or of the control plane. */
export type ApiOperationId = OperationId | ControlOperationId;

/** Parameters or form fields by name. */
export type FieldValues = Readonly<Partial<Record<string, string>>>;

interface Route {
  readonly document: OpenAPIObject;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** The routes to an operation under a profile. */
function listRoutes(id: ApiOperationId, profile: Profile): readonly Route[] {
  return [getControlContract().requests, getContract(profile).requests].flatMap((document) =>
    listOperations(document)
      .filter(({ operation }) => operation["x-operation"] === id)
      .map((listed) => ({ ...listed, document, method: listed.method.toUpperCase() })),
  );
}

/** Finds the route to an operation under a profile: the one that uses the most of the given parameters. */
export function selectRoute(id: ApiOperationId, profile: Profile, parameters: FieldValues): Route {
  const count = ({ path }: Route) => getPathParameters(path).length;
  const listMissing = ({ path }: Route) =>
    getPathParameters(path).filter((name) => (parameters[name] ?? "") === "");
  const routes = [...listRoutes(id, profile)].sort((one, other) => count(other) - count(one));
  const route = routes.find((one) => listMissing(one).length === 0);
  if (route !== undefined) return route;
  const shortest = routes.at(-1);
  if (shortest === undefined) throw new RejectedRequestError(400, [`There is no operation ${id}.`]);
  throw new RejectedRequestError(
    400,
    [],
    listMissing(shortest).map((name) => ({ pointer: `/${name}`, text: "must not be empty" })),
  );
}

/** A field of a request body, with the properties of its form control. */
export interface BodyField {
  readonly kind: "text" | "number" | "boolean" | "choice" | "choices" | "json";
  readonly isRequired: boolean;
  readonly options: readonly string[];
  readonly description: string | undefined;
  readonly fallback: string;
}

/** Finds a field of a request body by its JSON pointer without the first slash; undefined if there is none. */
export function findBodyField(id: ApiOperationId, profile: Profile, pointer: string): BodyField | undefined {
  const [route] = listRoutes(id, profile);
  if (route?.operation.requestBody === undefined) return undefined;
  const { content } = route.operation.requestBody as {
    readonly content: Record<string, { schema?: SchemaObject }>;
  };
  let schema = content["application/json"]?.schema;
  let isRequired = false;
  for (const name of pointer.split("/")) {
    const parent = schema && resolve(schema, route.document);
    schema = parent?.properties?.[name] as SchemaObject | undefined;
    isRequired = parent?.required?.includes(name) === true;
  }
  if (schema === undefined) return undefined;
  const resolved = resolve(schema, route.document);
  const items = (resolved.items ?? {}) as SchemaObject;
  return {
    kind: getKind(resolved),
    isRequired,
    options: (resolved.enum ?? items.enum ?? []).map(String),
    description: resolved.description,
    fallback: String(resolved.default ?? ""),
  };
}

/** Resolves a reference, and takes the first alternative of `anyOf`, which is the one that is not null. */
function resolve(schema: SchemaObject | ReferenceObject, document: OpenAPIObject): SchemaObject {
  if (!("$ref" in schema)) {
    const [first] = schema.anyOf ?? [];
    return first === undefined ? schema : { ...resolve(first, document), ...schema };
  }
  const { $ref, ...own } = schema;
  const target = document.components?.schemas?.[$ref.split("/").at(-1) ?? ""];
  return { ...(target && resolve(target, document)), ...own };
}

function getKind({ type, enum: values }: SchemaObject): BodyField["kind"] {
  const types = [type].flat();
  if (values !== undefined) return "choice";
  if (types.includes("array")) return "choices";
  if (types.includes("object")) return "json";
  if (types.includes("boolean")) return "boolean";
  return types.includes("integer") || types.includes("number") ? "number" : "text";
}

type Tree = Record<string, unknown>;

/**
 * Builds the request body of an operation from the fields of a form, whose names are pointers into the body. Empty
 * optional fields are omitted; JSON is sent exactly as entered.
 *
 * @param fixed further fields of the body
 * @returns undefined for an operation without a body
 * @throws {RejectedRequestError} if a JSON field is not valid JSON
 */
export function buildBody(
  id: ApiOperationId,
  profile: Profile,
  fields: FieldValues,
  fixed: object = {},
): string | undefined {
  const [route] = listRoutes(id, profile);
  if (route?.operation.requestBody === undefined) return undefined;
  const body: Tree = { ...fixed };
  for (const [pointer, text = ""] of Object.entries(fields)) {
    const field = findBodyField(id, profile, pointer);
    if (field === undefined || (text === "" && !field.isRequired)) continue;
    const names = pointer.split("/");
    const parent = names.slice(0, -1).reduce<Tree>((tree, name) => (tree[name] ??= {}) as Tree, body);
    parent[names.at(-1) ?? ""] = readValue(pointer, text, field);
  }
  return stringifyBody(body);
}

function readValue(pointer: string, text: string, { kind }: BodyField): unknown {
  if (kind === "choices") return text.split(",");
  if (kind === "boolean") return text === "true";
  // For text that is not a number, the API gives its own error.
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind !== "json") return text;
  try {
    JSON.parse(text);
  } catch (error) {
    const text = `is not valid JSON: ${(error as Error).message}`;
    throw new RejectedRequestError(400, [], [{ pointer: `/${pointer}`, text }]);
  }
  return rawJson(text);
}
