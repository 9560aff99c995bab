import { describe, expect, it } from "vitest";
import { buildControlPlaneDocument } from "../control-plane/document.js";
import { defaultProfile } from "../gaps/profile.js";
import { SchemaCompiler } from "../validation/compile-schema.js";
import { locatedOperations } from "../validation/located-operations.js";
import { requestSchemas } from "../validation/located-operations.js";
import { buildDocument, buildOpenDocument } from "./document.js";
import { requestsOf } from "./requests-of.js";

const documents = {
  "of the default profile": buildDocument(defaultProfile),
  "that is open": buildOpenDocument(),
  "of the control plane": buildControlPlaneDocument(),
};

describe.each(Object.entries(documents))("what the document %s says of requests", (_name, document) => {
  const requests = requestsOf(document);

  it("accepts them by the same schemas, at the same places", () => {
    const said = (whole: typeof document) => {
      const compiler = new SchemaCompiler(whole);
      return requestSchemas(whole).map((pointer) => [pointer, compiler.textOf(pointer)]);
    };
    expect(said(requests)).toEqual(said(document));
  });

  it("has everything else about their operations, and nothing about responses", () => {
    const known = (whole: typeof document) =>
      locatedOperations(whole).map(({ pointer, operation }) => {
        const { requestBody, ...rest } = operation;
        const content = requestBody !== undefined && "content" in requestBody ? requestBody.content : {};
        const said = Object.entries(rest).filter(
          ([member]) => !["responses", "summary", "description"].includes(member),
        );
        return [pointer, Object.fromEntries(said), Object.keys(content)];
      });
    expect(known(requests)).toEqual(known(document));
    expect(JSON.stringify(requests)).not.toContain('"responses":');
  });
});
