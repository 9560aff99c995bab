import { reasonPhrases } from "./reason-phrases.js";
import type {
  ComponentsObject,
  ExampleObject,
  HeaderObject,
  MediaTypeObject,
  PathItemObject,
  ResponseObject,
  SchemaObject,
} from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import type { Profile } from "../gaps/profile.js";
import type { GapId } from "../gaps/register.js";
import {
  getProblemExample,
  type ProblemKind,
  getProblemDefinition,
  problemKinds,
  getProblemType,
  sqlErrorExamples,
} from "../operations/problems.js";
import { ref } from "../schemas/ref.js";
import { collectReferences } from "./collect-references.js";
import { listOperations } from "./list-operations.js";

export function getProblemStatus(kind: ProblemKind, profile: Profile): number {
  const { status } = getProblemDefinition(kind);
  return typeof status === "number" ? status : profile[status.gap];
}

/** Whether a kind of problem has a problem body under every profile (part 7: a missing item). */
export function hasFixedProblemBody(kind: ProblemKind): boolean {
  return kind === "item-not-found";
}

/** Builds the responses for kinds of problems under a profile, by status. */
export function buildProblemResponses(
  kinds: readonly ProblemKind[],
  profile: Profile,
): Record<string, ResponseObject> {
  const byStatus = new Map<number, ProblemKind[]>();
  for (const kind of kinds) {
    const status = getProblemStatus(kind, profile);
    byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  const responses: Record<string, ResponseObject> = {};
  for (const [status, together] of [...byStatus].sort(([a], [b]) => a - b)) {
    const gaps = together.flatMap((kind): GapId[] => {
      const known = getProblemDefinition(kind).status;
      return typeof known === "number" ? [] : [known.gap];
    });
    responses[String(status)] = {
      description: describeKinds(together),
      ...(status === 401 ? { headers: { "WWW-Authenticate": wwwAuthenticateHeader } } : {}),
      ...(together.includes("rate-limited")
        ? {
            headers: {
              "Retry-After": buildRetryAfterHeader(together.every((kind) => kind === "rate-limited")),
            },
          }
        : {}),
      content: buildProblemContent(together, status, profile),
      "x-problems": [...together],
      "x-gap": [...new Set<GapId>([...gaps, "error-body"])],
    };
  }
  return responses;
}

/** Describes kinds in one sentence: "The request body is too large, or the item is too large." */
function describeKinds(kinds: readonly ProblemKind[]): string {
  const [first = "", ...others] = kinds.map((kind) => getProblemDefinition(kind).title);
  // do not change acronyms, as in "API key not found"
  const continued = others.map((title) => title.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase()));
  return `${[first, ...continued].join(", or ")}.`;
}

function buildRetryAfterHeader(required: boolean): HeaderObject {
  return {
    description: "Seconds to wait before sending the request again.",
    "x-compare": "present",
    required,
    schema: { type: "integer", minimum: 1 },
  };
}

const wwwAuthenticateHeader: HeaderObject = {
  description: "How to authenticate.",
  "x-compare": "present",
  required: true,
  schema: { type: "string" },
};

function buildProblemContent(
  kinds: readonly ProblemKind[],
  status: number,
  profile: Profile,
): NonNullable<ResponseObject["content"]> {
  const withProblem = profile["error-body"] === "problem" ? kinds : kinds.filter(hasFixedProblemBody);
  const withMessage = kinds.filter((kind) => !withProblem.includes(kind));
  return {
    ...(withProblem.length > 0
      ? {
          "application/problem+json": {
            schema: ref(getProblemSchemaName(status)),
            ...buildExampleReferences(withProblem.filter((kind) => getProblemExample(kind) !== undefined)),
          },
        }
      : {}),
    ...(withMessage.length > 0 ? { "application/json": { schema: ref("ErrorMessage") } } : {}),
  };
}

/** Builds references to the document's examples. */
export function buildExampleReferences(names: readonly string[]): Pick<MediaTypeObject, "examples"> {
  if (names.length === 0) return {};
  return {
    examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
  };
}

/**
 * Returns the name of the problem schema for a status, such as `NotFoundProblem`. Without such schemas, generated clients
 * would have a separate type for each operation.
 */
function getProblemSchemaName(status: number): string {
  const words = reasonPhrases[status]?.replaceAll(/[^A-Za-z ]/g, "").split(" ") ?? [`Status${status}`];
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Problem`;
}

/** Builds the problem schemas for the operations of a document: one for each status. */
export function buildProblemSchemas(
  paths: Readonly<Record<string, PathItemObject>>,
): Record<string, SchemaObject> {
  const kindsByStatus = new Map<number, Set<ProblemKind>>();
  const responses = listOperations({ paths }).flatMap(
    ({ operation }) => Object.entries(operation.responses ?? {}) as [string, ResponseObject][],
  );
  for (const [status, response] of responses) {
    if (response.content?.["application/problem+json"] === undefined) continue;
    const kinds = kindsByStatus.get(Number(status)) ?? new Set();
    (response["x-problems"] as readonly ProblemKind[]).forEach((kind) => kinds.add(kind));
    kindsByStatus.set(Number(status), kinds);
  }
  return Object.fromEntries(
    [...kindsByStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, kinds]) => [
        getProblemSchemaName(status),
        buildProblemSchema(status, [...kinds].sort().map(getProblemType)),
      ]),
  );
}

function buildProblemSchema(status: number, types: readonly string[]): SchemaObject {
  return {
    description: `A problem body with the status ${status}. Each response lists its possible problems in \`x-problems\`.`,
    allOf: [
      ref("Problem"),
      {
        type: "object",
        properties: {
          type: { type: "string", enum: [...types], description: "URL that identifies the kind of problem." },
          status: { type: "integer", enum: [status], description: "The HTTP status." },
        },
      },
    ],
  };
}

/** Builds the examples to which the operations of a document refer. */
export function buildReferencedExamples(
  paths: Readonly<Record<string, PathItemObject>>,
  strictness: Strictness,
): Pick<ComponentsObject, "examples"> {
  const named = collectReferences(paths, "examples");
  const used = Object.entries(buildExamples(strictness)).filter(([name]) => named.has(name));
  return used.length === 0 ? {} : { examples: Object.fromEntries(used) };
}

function buildExamples(strictness: Strictness): Record<string, ExampleObject> {
  const examples: Record<string, ExampleObject> = {};
  if (strictness.kind === "strict")
    for (const kind of Object.keys(problemKinds) as ProblemKind[]) {
      const example = getProblemExample(kind);
      if (example === undefined) continue;
      const { title } = getProblemDefinition(kind);
      const status = getProblemStatus(kind, strictness.profile);
      examples[kind] = { summary: title, value: { type: getProblemType(kind), title, status, ...example } };
    }
  for (const [code, value] of Object.entries(sqlErrorExamples))
    examples[code] = { summary: value.message, value: { code, ...value } };
  return examples;
}
