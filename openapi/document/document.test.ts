import { readFileSync } from "node:fs";
import type { OpenAPIObject, OperationObject, ParameterObject, ResponseObject } from "openapi3-ts/oas31";
import { describe, expect, it } from "vitest";
import { clauseIds } from "../clauses/register.js";
import { buildDocument, buildOpenDocument } from "./document.js";
import { toPublicDocument } from "./to-public-document.js";
import { getSampleAnswers, type GapId, gapIds } from "../gaps/register.js";
import { defaultProfile, isGapId, type Profile } from "../gaps/profile.js";
import { operationIds } from "../operations/register.js";
import { ContractValidator } from "../validation/contract-validator.js";

interface Operation extends OperationObject {
  readonly operationId: string;
  readonly route: string;
  readonly responses: Record<string, ResponseObject>;
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** The gaps whose answers affect the document. */
const asked = new Set<string | symbol>();
buildDocument(new Proxy(defaultProfile, { get: (profile, id) => (asked.add(id), profile[id as GapId]) }));

/** The default profile, and every profile that differs from it in one answer that affects the document. */
const profiles: readonly { readonly name: string; readonly profile: Profile }[] = [
  { name: "the default profile", profile: defaultProfile },
  ...gapIds
    .filter((id) => asked.has(id))
    .flatMap((id) =>
      getSampleAnswers(id).map((answer) => ({
        name: `${id} ${JSON.stringify(answer)}`,
        profile: { ...defaultProfile, [id]: answer },
      })),
    ),
];

/** The open document, and the documents of all profiles. Profiles with equal documents share one. */
const faces = [
  ...new Map(
    profiles
      .map(({ name, profile }) => ({ name, document: buildDocument(profile) }))
      .reverse()
      .map((strictness) => [JSON.stringify(strictness.document), strictness]),
  ).values(),
  { name: "the open document", document: buildOpenDocument() },
];

describe("buildDocument", () => {
  it("builds the committed document from the default profile", () => {
    const committed = readFileSync(new URL("../openapi.json", import.meta.url), "utf8");
    expect(JSON.parse(committed)).toEqual(
      asJson(toPublicDocument(buildDocument(defaultProfile), defaultProfile)),
    );
  });

  it("depends only on the profile", () => {
    const profile = Object.freeze({ ...defaultProfile });
    const first = JSON.stringify(buildDocument(profile));
    buildDocument({ ...defaultProfile, "error-body": "error-message", "put-item-route": "POST /items" });
    buildOpenDocument();
    expect(JSON.stringify(buildDocument(profile))).toBe(first);
  });

  it.each([
    ["PUT /items", ["put /api/v1/databases/{databaseId}/items"]],
    ["POST /items", ["post /api/v1/databases/{databaseId}/items"]],
    [
      "PUT /items/{pk}[/{sk}]",
      ["put /api/v1/databases/{databaseId}/items/{pk}", "put /api/v1/databases/{databaseId}/items/{pk}/{sk}"],
    ],
  ] as const)("mounts an operation where the profile says: %s", (answer, routes) => {
    const document = buildDocument({ ...defaultProfile, "put-item-route": answer });
    expect(routesOf(document, "putItem")).toEqual(routes);
  });

  it("uses the error body of the profile, and always a problem body for a missing item", () => {
    const { responses } = find(
      buildDocument({ ...defaultProfile, "error-body": "error-message" }),
      "getItem",
    );
    expect(Object.keys(responses["404"]?.content ?? {})).toEqual([
      "application/problem+json",
      "application/json",
    ]);
    expect(Object.keys(responses["403"]?.content ?? {})).toEqual(["application/json"]);
  });

  it("promises WWW-Authenticate with every 401 and no other status", () => {
    for (const { document } of faces)
      expect(
        operations(document).flatMap(({ route, responses }) =>
          Object.entries(responses)
            .filter(([status, { headers = {} }]) => "WWW-Authenticate" in headers !== (status === "401"))
            .map(([status]) => `${route}: ${status}`),
        ),
      ).toEqual([]);
  });
});

/** Operations whose examples are already known to be valid, including everything that they refer to. */
const looked = new Set<string>();

describe.each(faces)("with $name", ({ document }) => {
  const all = operations(document);

  it("has every operation of the service, with unique ids", () => {
    expect(new Set(all.map((operation) => operation["x-operation"] as string))).toEqual(
      new Set<string>(operationIds),
    );
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  });

  it("names only known gaps and known clauses", () => {
    expect(listExtensionIds(document, "x-gap").filter((id) => !isGapId(id))).toEqual([]);
    expect(
      listExtensionIds(document, "x-clauses").filter((id) => !(clauseIds as string[]).includes(id)),
    ).toEqual([]);
  });

  it("has an example, valid, for every parameter in a path, request body and first answer", () => {
    const validator = new ContractValidator(document);
    const withReferences = createReferenceFormatter(document);
    for (const operation of all) {
      const { operationId, route, requestBody } = operation;
      const parameters = (operation.parameters ?? []) as ParameterObject[];
      const [status, response] = Object.entries(operation.responses)[0] ?? [];
      // documents have most operations in common
      const whole = withReferences([operationId, parameters, requestBody, status, response]);
      if (looked.has(whole)) continue;
      for (const { name, example } of parameters.filter((parameter) => parameter.in === "path"))
        expect(example, `${route}: ${name}`).toBeTypeOf("string");
      const query = Object.fromEntries(
        parameters.flatMap(({ in: place, name, example }) =>
          place === "query" && example !== undefined ? [[name, String(example)]] : [],
        ),
      );
      const body = requestExample(operation);
      expect(validator.validateRequest(operationId, { path: {}, query, body }), route).toEqual([]);
      expect(
        validator.validateResponse(operationId, {
          status: Number(status),
          header: () => "application/json",
          body: response?.content?.["application/json"]?.example as unknown,
        }),
        route,
      ).toEqual([]);
      looked.add(whole);
    }
  });
});

describe("buildOpenDocument", () => {
  const open = buildOpenDocument();

  it("leaves status and body of every refusal open, except for SQL", () => {
    for (const { route, responses, tags } of operations(open)) {
      const statuses = Object.keys(responses).filter((status) => status.startsWith("4"));
      const isSql = tags?.includes("SQL") === true;
      expect(
        statuses.filter((status) => status !== "4XX"),
        route,
      ).toEqual(isSql ? ["400"] : []);
      // [SQL-46] a JSON body has the fields in part 7
      if (isSql)
        expect(responses["400"]?.content, route).toEqual({
          "application/json": {
            schema: { $ref: "#/components/schemas/SqlError" },
            examples: expect.any(Object) as object,
          },
          "*/*": {},
        });
      if (statuses.length > 0) expect(responses["4XX"]?.content, route).toEqual({ "*/*": {} });
    }
  });

  it("has no server errors except those of the health endpoints", () => {
    const failing = operations(open).filter(({ responses }) =>
      Object.keys(responses).some((status) => status.startsWith("5")),
    );
    expect(failing.map(({ operationId }) => operationId)).toEqual([
      "getHealth",
      "getReadiness",
      "getLiveness",
    ]);
  });

  it("allows undeclared fields everywhere", () => {
    expect(JSON.stringify(open)).not.toContain('"additionalProperties":false');
    expect(JSON.stringify(buildDocument(defaultProfile))).toContain('"additionalProperties":false');
  });

  it("has every known route of an operation whose route is a gap", () => {
    expect(routesOf(open, "putItem")).toEqual([
      "put /api/v1/databases/{databaseId}/items",
      "post /api/v1/databases/{databaseId}/items",
      "put /api/v1/databases/{databaseId}/items/{pk}",
      "put /api/v1/databases/{databaseId}/items/{pk}/{sk}",
    ]);
  });

  it("sets no limit that only a profile sets", () => {
    const { schemas } = open.components ?? {};
    expect(schemas?.PageLimit).not.toHaveProperty("maximum");
    expect(buildDocument(defaultProfile).components?.schemas?.PageLimit).toHaveProperty("maximum", 1000);
  });
});

function operations(document: OpenAPIObject): readonly Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      route: `${method} ${path}`,
    })),
  );
}

function routesOf(document: OpenAPIObject, logicalId: string): readonly string[] {
  return operations(document)
    .filter((operation) => operation["x-operation"] === logicalId)
    .map(({ route }) => route);
}

function find(document: OpenAPIObject, operationId: string): Operation {
  const found = operations(document).find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`the document has no operation ${operationId}`);
  return found;
}

/**
 * Returns a function that formats a part of the document with everything that it refers to, so that equal texts mean
 * equal content.
 */
function createReferenceFormatter({ components = {} }: OpenAPIObject): (part: unknown) => string {
  const texts = new Map<string, string>();
  const textOf = (pointer: string) => {
    const [, , kind = "", name = ""] = pointer.split("/");
    const known = texts.get(pointer) ?? JSON.stringify((components as Components)[kind]?.[name]);
    texts.set(pointer, known);
    return known;
  };
  return (part) => {
    const whole = new Map([["", JSON.stringify(part)]]);
    // the iteration includes entries that are added during it
    for (const text of whole.values())
      for (const [, pointer = ""] of text.matchAll(/"\$ref":"(#[^"]+)"/g))
        if (!whole.has(pointer)) whole.set(pointer, textOf(pointer));
    return JSON.stringify([...whole]);
  };
}

function requestExample({ requestBody }: OperationObject): unknown {
  return requestBody !== undefined && "content" in requestBody
    ? requestBody.content["application/json"]?.example
    : undefined;
}

/** Lists all ids in an extension, whose value may be one id or a list. */
function listExtensionIds(part: unknown, extension: string, found: string[] = []): readonly string[] {
  if (typeof part !== "object" || part === null) return found;
  for (const [name, value] of Object.entries(part))
    if (name === extension) found.push(...[value as string | string[]].flat());
    else listExtensionIds(value, extension, found);
  return found;
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
