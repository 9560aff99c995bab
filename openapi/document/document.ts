import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  PathItemObject,
  ResponseObject,
  SchemaObject,
  SecurityRequirementObject,
  SecuritySchemeObject,
} from "openapi3-ts/oas31";
import { getAllowedAnswers, type Strictness } from "../gaps/strictness.js";
import type { GapId } from "../gaps/register.js";
import {
  type Access,
  getExampleResponse,
  getRoutes,
  type OperationDefinition,
  mayRejectInvalidCredential,
  getRoles,
  type Route,
  getScope,
  type ResponseDefinition,
  acceptsTokens,
} from "../operations/operation.js";
import { getPathParameter } from "../operations/parameters.js";
import { getProblemDefinition, type ProblemKind } from "../operations/problems.js";
import type { Profile } from "../gaps/profile.js";
import { type ApiDefinition, type OperationId, serviceApi } from "../operations/register.js";
import {
  buildReferencedExamples,
  buildExampleReferences,
  buildProblemResponses,
  buildProblemSchemas,
  getProblemStatus,
} from "./problem-responses.js";
import { roles } from "../schemas/roles.js";
import { SchemaBuilder } from "../schemas/schema-builders.js";
import { collectReferencedSchemas } from "./collect-references.js";
import { contractVersion } from "./version.js";
import { getPathParameters } from "../text/path-template.js";

/** Builds the strict document, which says exactly how a deployment with the profile responds. */
export function buildDocument(profile: Profile): OpenAPIObject {
  return buildApiDocument(serviceApi, { kind: "strict", profile });
}

/**
 * Builds the open document, which requires only what the clauses say. It leaves open what the specification leaves open:
 * statuses and bodies of errors, additional fields, and some routes.
 */
export function buildOpenDocument(): OpenAPIObject {
  return buildApiDocument(serviceApi, { kind: "open" });
}

const securitySchemes: Record<string, SecuritySchemeObject> = {
  accessToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "Access token of a user session. Each operation lists the roles that it accepts.",
  },
  apiKey: {
    type: "http",
    scheme: "bearer",
    description: "API key. Each operation lists the scope that it needs.",
  },
};

/** Builds the strict or open OpenAPI 3.1 document of an interface. */
export function buildApiDocument(api: ApiDefinition, strictness: Strictness): OpenAPIObject {
  const builder = new SchemaBuilder(strictness);
  const paths: Record<string, PathItemObject> = {};
  for (const [id, definition] of Object.entries(api.operations)) {
    const { summary, description = `${summary}.`, access } = definition;
    const described = {
      ...definition,
      description: api.describesAccess
        ? `${description}\n\n${describeAccess(access, strictness)}`
        : description,
    };
    const known = strictness.kind === "strict" ? strictness.profile : {};
    getRoutes(definition, known).forEach((route, index) => {
      const operationId = index === 0 ? id : `${id}Variant${index + 1}`;
      const operation = buildOperation(id, operationId, described, route, strictness);
      (paths[route.path] ??= {})[route.method] = operation;
    });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: api.title,
      version: contractVersion,
      description: api.description,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "data-service-emulator" },
    },
    servers: [{ url: "http://127.0.0.1:4100", description: "The emulator's default address." }],
    tags: [...api.tags],
    security: [],
    paths,
    components: {
      ...(api.describesAccess ? { securitySchemes } : {}),
      schemas: selectUsedSchemas(
        Object.assign(
          {},
          ...api.schemas.map((group) => group(builder)),
          buildProblemSchemas(paths),
        ) as Schemas,
        paths,
      ),
      ...buildReferencedExamples(paths, strictness),
    },
  };
}

/** Describes in a sentence who may call an operation. */
function describeAccess(access: Access, strictness: Strictness): string {
  if (access.kind === "public") return "Needs no credential.";
  const scope = getScope(access, strictness);
  const credentials: string[] = [];
  if (scope !== undefined)
    credentials.push(
      scope === "any"
        ? "an API key whose scope allows SQL (`database:read`, `database:write`, `database:*` or `*`)"
        : `an API key with the scope \`${scope}\``,
    );
  if (acceptsTokens(access, strictness)) credentials.push(describeTokens(access, strictness));
  return `Accepts ${credentials.join(", or ")}.`;
}

function describeTokens(access: Access & { readonly kind: "protected" }, strictness: Strictness): string {
  if (access.roleIn === "none") return "the access token of any user";
  const accepted = getRoles(access, strictness);
  const list = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(accepted);
  const role = accepted.length === roles.length ? "any role" : `the role ${list}`;
  return access.roleIn === "path"
    ? `an access token whose user has ${role} in the organization in the path`
    : `an access token for an organization in which the user has ${role}`;
}

type Schemas = Record<string, SchemaObject>;

/** Selects the schemas to which the paths refer, directly or through other schemas. */
function selectUsedSchemas(all: Schemas, paths: Record<string, PathItemObject>): Schemas {
  const used = collectReferencedSchemas(paths, all);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

function buildOperation(
  id: string,
  operationId: string,
  definition: OperationDefinition,
  route: Route,
  strictness: Strictness,
): OperationObject {
  const { tag, summary, description, clauses, access, effect, errorBody } = definition;
  const parameters = buildParameters(definition, route, strictness);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...buildRequestBody(definition),
    responses: buildResponses(definition, strictness),
    security: buildSecurity(access, strictness),
    "x-operation": id,
    "x-effect": effect,
    ...(errorBody === undefined ? {} : { "x-error-body": errorBody }),
    ...(access.kind === "protected" ? { "x-role-in": access.roleIn } : {}),
    ...buildGapExtension(definition),
    "x-clauses": [...new Set(clauses)].sort(),
  };
}

function buildRequestBody({
  requestBody,
  requestFile,
  example,
}: OperationDefinition): Partial<OperationObject> {
  if (requestFile !== undefined)
    return { requestBody: { required: true, content: { [requestFile]: { schema: binarySchema } } } };
  if (requestBody === undefined) return {};
  const media = {
    schema: requestBody,
    ...(example.request === undefined ? {} : { example: example.request }),
  };
  return { requestBody: { required: true, content: { "application/json": media } } };
}

const binarySchema: SchemaObject = { type: "string", format: "binary" };

/** Returns the gaps that determine the routes of an operation, or who may call it, as `x-gap`. */
function buildGapExtension({ routes, access }: OperationDefinition): Partial<OperationObject> {
  const gaps: GapId[] = [];
  if ("gap" in routes) gaps.push(routes.gap);
  if (access.kind === "protected" && !("gap" in routes)) {
    const { roles, scope, tokenGap } = access;
    if ("gap" in roles) gaps.push(roles.gap);
    if (typeof scope === "object") gaps.push(scope.gap);
    if (tokenGap !== undefined) gaps.push(tokenGap);
    if (scope === "repository:read") gaps.push("database-all-covers-entities", "write-scope-reads-entities");
    if (scope === "repository:write") gaps.push("database-all-covers-entities");
  }
  return gaps.length === 0 ? {} : { "x-gap": gaps.length === 1 ? gaps[0] : gaps };
}

function buildParameters(
  definition: OperationDefinition,
  route: Route,
  strictness: Strictness,
): ParameterObject[] {
  const inPath = getPathParameters(route.path).map((name): ParameterObject => ({
    name,
    in: "path",
    required: true,
    description: getPathParameter(name).description,
    schema: { type: "string", minLength: 1 },
    example: definition.example.parameters[name],
  }));
  return [...inPath, ...(definition.parameters?.(strictness) ?? [])];
}

function buildSecurity(access: Access, strictness: Strictness): SecurityRequirementObject[] {
  if (access.kind === "public") return [];
  const requirements: SecurityRequirementObject[] = acceptsTokens(access, strictness)
    ? [{ accessToken: [...getRoles(access, strictness)] }]
    : [];
  const scope = getScope(access, strictness);
  if (scope !== undefined) requirements.push({ apiKey: scope === "any" ? [] : [scope] });
  return requirements;
}

function buildResponses(
  definition: OperationDefinition,
  strictness: Strictness,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  definition.successes(strictness).forEach((success, index) => {
    responses[String(success.status)] = buildSuccessResponse(
      success,
      success.example ?? (index === 0 ? getExampleResponse(definition, strictness) : undefined),
    );
  });
  const kinds = listProblemKinds(definition, strictness);
  if (strictness.kind === "strict")
    for (const [status, response] of Object.entries(buildProblemResponses(kinds, strictness.profile)))
      responses[status] = mergeResponses(responses[status], response);
  else if (kinds.length > 0) {
    responses["4XX"] = { description: "The request was rejected.", content: { "*/*": {} } };
    // part 7 defines the body of SQL errors, but other errors can have the same status
    const known = responses["400"];
    if (known !== undefined) responses["400"] = { ...known, content: { ...known.content, "*/*": {} } };
  }
  return responses;
}

function buildSuccessResponse(
  { description, schema, examples, file, fileSchema = binarySchema, gap }: ResponseDefinition,
  example: unknown,
): ResponseObject {
  return {
    description,
    ...(schema === undefined
      ? {}
      : {
          content: {
            "application/json": {
              schema,
              ...(example === undefined ? {} : { example }),
              ...(examples === undefined ? {} : buildExampleReferences(examples)),
            },
            ...(file === undefined ? {} : { [file]: { schema: fileSchema } }),
          },
        }),
    ...(gap === undefined ? {} : { "x-gap": gap }),
  };
}

/** Merges two responses with the same status. If both have the same content type, the body can match either schema. */
function mergeResponses(first: ResponseObject | undefined, second: ResponseObject): ResponseObject {
  if (first === undefined) return second;
  const content = { ...first.content };
  for (const [type, media] of Object.entries(second.content ?? {})) {
    const known = content[type];
    content[type] =
      known?.schema === undefined || media.schema === undefined
        ? media
        : { schema: { anyOf: [known.schema, media.schema] } };
  }
  const gaps = [first["x-gap"], second["x-gap"]].flat().filter((gap) => gap !== undefined);
  return {
    ...second,
    description: `${first.description} ${second.description}`,
    content,
    ...(gaps.length > 0 ? { "x-gap": gaps } : {}),
  };
}

/** Lists all kinds of problems that an operation can return: its own, and those that follow from its definition. */
export function listProblemKinds(
  definition: OperationDefinition,
  strictness: Strictness,
): readonly ProblemKind[] {
  const { tag, access, requestBody, requestFile, errorBody } = definition;
  // a request that cannot be parsed matches no operation, so every operation declares this problem
  const kinds = new Set<ProblemKind>(["malformed-request"]);
  if (requestBody !== undefined) kinds.add("validation-failed").add("malformed-body");
  if ((requestBody ?? requestFile) !== undefined)
    kinds.add("request-too-large").add("unsupported-media-type");
  // the control plane ignores the query of an operation without query parameters
  const rejectsAnyUnknown =
    tag !== "Control plane" && getAllowedAnswers(strictness, "unknown-request-fields").includes("reject");
  if (rejectsAnyUnknown || (definition.parameters?.(strictness) ?? []).length > 0)
    kinds.add("validation-failed");
  if (mayRejectInvalidCredential(access, strictness)) kinds.add("unauthenticated");
  if (access.kind === "protected") {
    kinds.add("unauthenticated").add("forbidden").add("rate-limited");
    if (getScope(access, strictness) === undefined || !acceptsTokens(access, strictness))
      kinds.add("wrong-credential-kind");
  }
  definition.problems.forEach((kind) => kinds.add(kind));
  // reported as SQL_VALIDATION_ERROR instead
  if (errorBody === "sql")
    for (const kind of ["validation-failed", "malformed-body"] as const) kinds.delete(kind);
  return [...kinds].filter((kind) => canProblemOccur(kind, strictness));
}

/** Whether any allowed answers to gaps make a kind of problem possible. */
export function canProblemOccur(kind: ProblemKind, strictness: Strictness): boolean {
  const { onlyWith, neverWith } = getProblemDefinition(kind);
  return (
    (!onlyWith || getAllowedAnswers(strictness, onlyWith.gap).some((answer) => answer === onlyWith.answer)) &&
    (!neverWith || getAllowedAnswers(strictness, neverWith.gap).some((answer) => answer !== neverWith.answer))
  );
}

/** Lists the kinds of problems that an operation of the service declares with a status under a profile. */
export function getDeclaredProblemKinds(
  operationId: OperationId,
  status: number,
  profile: Profile,
): readonly ProblemKind[] {
  return listProblemKinds(serviceApi.operations[operationId], { kind: "strict", profile }).filter(
    (kind) => getProblemStatus(kind, profile) === status,
  );
}
