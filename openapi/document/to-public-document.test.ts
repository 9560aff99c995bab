import type {
  ExampleObject,
  OpenAPIObject,
  OperationObject,
  ResponseObject,
  SchemaObject,
} from "openapi3-ts/oas31";
import { describe, expect, it } from "vitest";
import { defaultProfile } from "../gaps/profile.js";
import { gapIds, getSampleAnswers } from "../gaps/register.js";
import { buildDocument } from "./document.js";
import { toPublicDocument } from "./to-public-document.js";

const document = toPublicDocument(buildDocument(defaultProfile), defaultProfile);
const operations = operationsOf(document);

function operationsOf({ paths = {} }: OpenAPIObject): readonly OperationObject[] {
  return Object.values(paths).flatMap((item) => Object.values(item as Record<string, OperationObject>));
}

/** Lists all objects in the document with their paths. */
function* listParts(
  part: unknown,
  path: readonly string[] = [],
): Generator<[string, Record<string, unknown>]> {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) yield [path.join("/"), part as Record<string, unknown>];
  for (const [name, value] of Object.entries(part)) yield* listParts(value, [...path, name]);
}

/** Returns a response, which may be referenced. */
function resolveResponse(response: ResponseObject | { readonly $ref: string }): ResponseObject {
  const name = "$ref" in response ? response.$ref.replace(/.*\//, "") : undefined;
  return (name === undefined ? response : document.components?.responses?.[name]) as ResponseObject;
}

describe("the published document", () => {
  it.each(gapIds)("says if the answer to %s is not the one that its descriptions assume", (id) => {
    for (const answer of getSampleAnswers(id)) {
      const profile = { ...defaultProfile, [id]: answer };
      const { description } = toPublicDocument(buildDocument(profile), profile).info;
      expect(description?.includes(`| \`${id}\` | \`${answer}\` |`)).toBe(answer !== defaultProfile[id]);
    }
  });

  it("describes every schema and every field", () => {
    const schemas = Object.entries(document.components?.schemas ?? {}) as [string, SchemaObject][];
    expect(schemas.filter(([, schema]) => (schema.description ?? "") === "").map(([name]) => name)).toEqual(
      [],
    );
    const fields = [...listParts(document.components?.schemas)].flatMap(([path, part]) =>
      // a field may have this name
      /\/(?:then|else|if|properties)\/$/.test(`${path}/`)
        ? []
        : Object.entries((part.properties ?? {}) as Record<string, SchemaObject>).map(
            ([name, field]) => [`${path}/${name}`, field] as const,
          ),
    );
    expect(fields.length).toBeGreaterThan(300);
    const bare = fields.filter(([, field]) => {
      const referred = "$ref" in field || (field.anyOf ?? []).some((one) => "$ref" in one);
      return !referred && (field.description ?? "") === "";
    });
    expect(bare.map(([path]) => path)).toEqual([]);
  });

  it("has an example for every response with a body", () => {
    const bare = operations.flatMap(({ operationId = "", responses = {} }) =>
      Object.entries(responses as Record<string, ResponseObject>).flatMap(([status, response]) =>
        Object.values(resolveResponse(response).content ?? {})
          .filter((media) => media.example === undefined && media.examples === undefined)
          .map(() => `${operationId} ${status}`),
      ),
    );
    expect(bare).toEqual([]);
  });

  it("describes what happens in any deployment: too many requests, and failures of the service", () => {
    for (const { operationId, responses } of operations)
      for (const status of ["429", "5XX"])
        expect([operationId, status, responses?.[status] !== undefined]).toEqual([operationId, status, true]);
    const limited = document.components?.responses?.TooManyRequests as ResponseObject;
    expect(limited).toHaveProperty("headers.Retry-After");
    // the emulator's own examples are tested
    const profile = { ...defaultProfile, "rate-limit": 1 } as const;
    const example = buildDocument(profile).components?.examples?.["rate-limited"] as ExampleObject;
    expect(limited.content?.["application/problem+json"]?.example).toEqual(example.value);
  });

  it("leaves responses open to new fields, and requests unchanged", () => {
    const closed = (schemas: unknown) =>
      [...listParts(schemas)].filter(([, part]) => part.additionalProperties === false).map(([path]) => path);
    const answered = closed(document.components?.schemas).filter(
      (path) => !/Request|Entry|Key$|Field|Change/.test(path),
    );
    expect(answered).toEqual([]);
    const profile = { ...defaultProfile, "unknown-request-fields": "reject" } as const;
    const rejecting = toPublicDocument(buildDocument(profile), profile);
    expect(closed(rejecting.components?.schemas)).toContain("PutItemRequest");
  });

  it("gives every component a different name, because generators create a type for each", () => {
    const { schemas = {}, parameters = {}, responses = {} } = document.components ?? {};
    const names = [schemas, parameters, responses].flatMap(Object.keys).map((name) => name.toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("has only the extensions that it explains", () => {
    const names = [
      ...listParts({ ...document, paths: document.paths, components: document.components }),
    ].flatMap(([path, part]) => (/\/(?:example|value)\b/.test(path) ? [] : Object.keys(part)));
    const extensions = [...new Set(names.filter((name) => name.startsWith("x-")))].sort();
    expect(extensions).toEqual(["x-clauses", "x-gap", "x-problems"]);
    for (const name of extensions) expect(document.info.description).toContain(`\`${name}\``);
  });
});
