import { describe, expect, it } from "vitest";
import { buildControlPlaneDocument } from "../control-plane/document.js";
import { defaultProfile } from "../gaps/profile.js";
import { SchemaCompiler } from "../validation/schema-compiler.js";
import { locateOperations } from "../validation/locate-operations.js";
import { listRequestSchemas } from "../validation/locate-operations.js";
import { buildDocument, buildOpenDocument } from "./document.js";
import { toRequestDocument } from "./to-request-document.js";

const documents = {
  "of the default profile": buildDocument(defaultProfile),
  "that is open": buildOpenDocument(),
  "of the control plane": buildControlPlaneDocument(),
};

describe.each(Object.entries(documents))("the requests of the document %s", (_name, document) => {
  const requests = toRequestDocument(document);

  it("are described by the same schemas", () => {
    const said = (whole: typeof document) => {
      const compiler = new SchemaCompiler(whole);
      return listRequestSchemas(whole).map((pointer) => [pointer, compiler.schemaText(pointer)]);
    };
    expect(said(requests)).toEqual(said(document));
  });

  it("include all of their operations, without responses", () => {
    const known = (whole: typeof document) =>
      locateOperations(whole).map(({ pointer, operation }) => {
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
