import type { OpenAPIObject, SchemaObject } from "openapi3-ts/oas31";
import { describe, expect, it } from "vitest";
import { SchemaCompiler } from "./schema-compiler.js";

/** Creates a document with a list of names; the schema of a name is two references away from the list. */
function createListDocument(name: SchemaObject): OpenAPIObject {
  return {
    openapi: "3.1.0",
    info: { title: "", version: "" },
    components: {
      schemas: {
        List: { type: "array", items: { $ref: "#/components/schemas/Entry" } },
        Entry: {
          type: "object",
          properties: {
            name: { $ref: "#/components/schemas/Name" },
            // a circular reference
            inner: { $ref: "#/components/schemas/List" },
          },
        },
        Name: name,
      },
    },
  };
}

const compile = (document: OpenAPIObject, name = "List") =>
  new SchemaCompiler(document).compile(`/components/schemas/${name}`, false);

describe("a compiled schema", () => {
  it("is shared by documents with the same content", () => {
    const document = createListDocument({ type: "string", maxLength: 3 });
    expect(compile(structuredClone(document))).toBe(compile(document));
  });

  it("is distinguished from a reference to something else of the same name, however far away", () => {
    const short = compile(createListDocument({ type: "string", maxLength: 3 }));
    const long = compile(createListDocument({ type: "string", maxLength: 5 }));
    for (const value of [[{ name: "four" }], [{ inner: [{ inner: [{ name: "four" }] }] }]])
      expect([short(value), long(value)]).toEqual([false, true]);
    expect(compile(createListDocument({ type: "string", maxLength: 3 }), "Entry")({ name: "four" })).toBe(
      false,
    );
  });

  it("refers only to what exists", () => {
    const { components, ...rest } = createListDocument({ type: "string" });
    const { Name, ...others } = components?.schemas ?? {};
    expect(Name).toBeDefined();
    expect(() => compile({ ...rest, components: { schemas: others } })).toThrow("no schema Name");
  });
});
