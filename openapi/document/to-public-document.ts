import type {
  ComponentsObject,
  MediaTypeObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
  ServerObject,
} from "openapi3-ts/oas31";
import { defaultProfile, type Profile } from "../gaps/profile.js";
import { gapIds } from "../gaps/register.js";
import { getProblemType, problemKinds } from "../operations/problems.js";
import { collectReferencedSchemas } from "./collect-references.js";
import { listOperations, mapOperations } from "./list-operations.js";

/** Extensions in the public document; all others are for this project's tools. */
const publicExtensions: readonly string[] = ["x-clauses", "x-gap", "x-problems"];

const servers: readonly ServerObject[] = [
  { url: "http://127.0.0.1:4100", description: "The emulator's default address." },
  {
    url: "https://{host}",
    description: "A deployment.",
    variables: { host: { default: "api.data-service.example", description: "Host name." } },
  },
];

const problem: MediaTypeObject = { schema: { $ref: "#/components/schemas/Problem" } };

/** Responses that every operation can have. */
const sharedResponses: Readonly<
  Record<"429" | "5XX", { readonly name: string; readonly response: ResponseObject }>
> = {
  "429": {
    name: "TooManyRequests",
    response: {
      description: "Too many requests: try again later.",
      headers: {
        "Retry-After": {
          description: "Seconds to wait before sending the request again.",
          schema: { type: "integer", minimum: 0 },
        },
      },
      content: {
        "application/problem+json": {
          ...problem,
          example: {
            type: getProblemType("rate-limited"),
            title: problemKinds["rate-limited"].title,
            status: 429,
            detail: problemKinds["rate-limited"].example,
          },
        },
      },
    },
  },
  "5XX": {
    name: "ServerError",
    response: {
      description: "The service failed or is temporarily unavailable.",
      content: {
        "application/problem+json": {
          ...problem,
          example: {
            type: getProblemType("internal-error"),
            title: "The service failed",
            status: 500,
            detail: "Try again in a few seconds.",
          },
        },
      },
    },
  },
};

/**
 * Converts the strict document of a profile to the public document. The strict document does not allow additional fields in
 * responses, so clients generated from it would fail if the service added a field.
 */
export function toPublicDocument(document: OpenAPIObject, profile: Profile): OpenAPIObject {
  const paths = mapOperations(document.paths ?? {}, withSharedResponses);
  const parameters = nameRepeatedParameters(paths);
  const { info } = document;
  return withoutInternals({
    ...document,
    info: { ...info, description: (info.description ?? "") + describeOtherAnswers(profile) },
    servers,
    paths: mapOperations(paths, (operation) => ({
      ...operation,
      // many tools expect scopes only for OAuth; the description lists the roles and scopes
      security: (operation.security ?? []).map((requirement) =>
        Object.fromEntries(Object.keys(requirement).map((scheme) => [scheme, []])),
      ),
      parameters: (operation.parameters ?? []).map((parameter) => {
        const name = parameters.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      }),
    })),
    components: {
      ...document.components,
      parameters: Object.fromEntries(
        [...parameters].map(([text, name]) => [name, JSON.parse(text) as object]),
      ),
      responses: Object.fromEntries(
        Object.values(sharedResponses).map(({ name, response }) => [name, response]),
      ),
      schemas: openSchemas(document),
    },
  }) as OpenAPIObject;
}

/** Lists the answers of a profile that are not the default ones, which the descriptions of the document assume. */
function describeOtherAnswers(profile: Profile): string {
  const rows = gapIds
    .filter((id) => profile[id] !== defaultProfile[id])
    .map((id) => `| \`${id}\` | \`${profile[id]}\` |`);
  if (rows.length === 0) return "";
  return `
## Profile

The routes, schemas and statuses in this document follow a profile with the answers below. The descriptions assume the default
answers, so they do not always apply.

| gap | answer |
| --- | ------ |
${rows.join("\n")}
`;
}

function withSharedResponses(operation: OperationObject): OperationObject {
  const shared = Object.entries(sharedResponses).map(([status, { name }]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  const responses = Object.fromEntries(shared) as Readonly<Record<string, ReferenceObject>>;
  return { ...operation, responses: { ...responses, ...operation.responses } };
}

/** Maps the texts of parameters that occur more than once to their names, unless two parameters have the same name. */
function nameRepeatedParameters(paths: NonNullable<OpenAPIObject["paths"]>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const texts = new Map<string, Set<string>>();
  for (const parameter of listOperations({ paths }).flatMap(({ operation }) => operation.parameters ?? [])) {
    const text = JSON.stringify(parameter);
    const { name } = parameter as ParameterObject;
    counts.set(text, (counts.get(text) ?? 0) + 1);
    texts.set(name, (texts.get(name) ?? new Set()).add(text));
  }
  return new Map(
    [...texts].flatMap(([name, [text = "", ...others]]): [string, string][] =>
      others.length === 0 && (counts.get(text) ?? 0) > 1 ? [[text, name]] : [],
    ),
  );
}

/** Makes the schemas of responses accept additional fields and new kinds of problems. */
function openSchemas(document: OpenAPIObject): NonNullable<ComponentsObject["schemas"]> {
  const schemas = document.components?.schemas ?? {};
  const responses = listOperations(document).map(({ operation }) => operation.responses);
  const responseSchemas = collectReferencedSchemas(responses, schemas);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      responseSchemas.has(name) ? openClosedParts(schema) : schema,
    ]),
  );
}

function openClosedParts<Part>(part: Part): Part {
  return mapMembers(part, (name, value) => {
    const isClosed =
      (name === "additionalProperties" && value === false) ||
      (name === "const" && typeof value === "number") ||
      (name === "enum" && Array.isArray(value) && value.every((one) => /^https?:/.test(String(one))));
    return isClosed ? undefined : [name, openClosedParts(value)];
  });
}

/** Removes the extensions that only this project's tools read. */
function withoutInternals<Part>(part: Part): Part {
  return mapMembers(part, (name, value) => {
    // these names are not keywords
    if (name === "properties")
      return [name, mapMembers(value, (field, schema) => [field, withoutInternals(schema)])];
    if (name.startsWith("x-") && !publicExtensions.includes(name)) return undefined;
    return [name, /^(?:example|examples|value|default)$/.test(name) ? value : withoutInternals(value)];
  });
}

function mapMembers<Part>(
  part: Part,
  map: (name: string, value: unknown) => [string, unknown] | undefined,
): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => mapMembers(one, map)) as Part;
  if (typeof part !== "object" || part === null) return part;
  const members = Object.entries(part).map(([name, value]) => map(name, value));
  return Object.fromEntries(members.filter((member) => member !== undefined)) as Part;
}
