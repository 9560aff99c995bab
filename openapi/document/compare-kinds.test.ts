import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { describe, expect, it } from "vitest";
import { defaultProfile, type Profile } from "../gaps/profile.js";
import { getSampleAnswers, gapIds } from "../gaps/register.js";
import { comparisonKinds } from "../schemas/compare-kinds.js";
import { buildDocument, buildOpenDocument } from "./document.js";

type Schema = SchemaObject | ReferenceObject;

const isKind = (value: unknown) => typeof value === "string" && value in comparisonKinds;

/** Lists the places in responses that do not say how `compare` compares them. */
function listUndeclaredPlaces(document: OpenAPIObject): readonly string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const named = (name: string) => document.components?.schemas?.[name] as SchemaObject;
  const visit = (schema: Schema, place: string): void => {
    const { "x-compare": kind } = schema as { readonly "x-compare"?: unknown };
    if (kind !== undefined && !isKind(kind)) found.add(`${place}: ${JSON.stringify(kind)}`);
    if ("$ref" in schema) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
      if (kind === undefined && !seen.has(name)) {
        seen.add(name);
        visit(named(name), name);
      }
      return;
    }
    const { type, properties, items, anyOf, allOf } = schema;
    for (const branch of anyOf ?? []) visit(branch, place);
    // the first schema says how to compare; the others only restrict the values
    if (allOf?.[0] !== undefined) visit(allOf[0], place);
    if (items !== undefined) {
      if (kind !== "ordered" && kind !== "unordered" && kind !== "present") found.add(`${place} (the list)`);
      if (kind !== "present") visit(items, `${place}[]`);
      return;
    }
    if (properties !== undefined && kind === undefined) {
      for (const [name, property] of Object.entries(properties)) visit(property, `${place}.${name}`);
      return;
    }
    const says = kind !== undefined || anyOf !== undefined || allOf !== undefined || type === "null";
    if (!says && properties === undefined) found.add(place);
  };
  for (const item of Object.values(document.paths ?? {}))
    for (const operation of Object.values(item as Record<string, object>)) {
      const { operationId, responses } = operation as {
        readonly operationId: string;
        readonly responses: Record<
          string,
          { readonly content?: Record<string, { readonly schema?: Schema }>; readonly headers?: object }
        >;
      };
      for (const { content = {}, headers = {} } of Object.values(responses)) {
        for (const { schema } of Object.values(content)) if (schema !== undefined) visit(schema, operationId);
        for (const [name, header] of Object.entries(headers))
          if (!isKind((header as { readonly "x-compare"?: unknown })["x-compare"]))
            found.add(`${operationId}: ${name}`);
      }
    }
  return [...found];
}

describe("every field and header of every response says how it is compared", () => {
  it("in the open document, and in that of the default profile", () => {
    expect(listUndeclaredPlaces(buildOpenDocument())).toEqual([]);
    expect(listUndeclaredPlaces(buildDocument(defaultProfile))).toEqual([]);
  });

  it("in the document of every answer to every gap", () => {
    for (const number of [1, 2, 3]) {
      const answers = gapIds.map((gap) => [gap, getSampleAnswers(gap)[number] ?? defaultProfile[gap]]);
      const profile = Object.fromEntries(answers) as Profile;
      expect(listUndeclaredPlaces(buildDocument(profile)), `answers of number ${number}`).toEqual([]);
    }
  });

  it("a missing comparison makes this test fail", () => {
    const document = JSON.parse(JSON.stringify(buildDocument(defaultProfile))) as OpenAPIObject;
    const { Item } = document.components?.schemas as Record<string, SchemaObject>;
    delete (Item?.properties?.pk as Record<string, unknown>)["x-compare"];
    expect(listUndeclaredPlaces(document)).toEqual(["Item.pk"]);
  });
});
