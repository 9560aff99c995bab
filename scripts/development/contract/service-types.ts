import openapiTS, { astToString } from "openapi-typescript";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import ts from "typescript";
import { buildTypesDocument, typeNamesBySchema } from "./types-document.js";

const parameters =
  "<ItemData extends JsonInputObject = JsonObject, EntityData extends JsonInputObject = JsonObject>";
const typeArguments = "<ItemData, EntityData>";

/** The types of the service: generic in what items and entities hold, with a short name for each schema. */
export async function generateServiceTypes(document: OpenAPIObject): Promise<string> {
  const seen = buildTypesDocument(document);
  const nodes = await openapiTS(structuredClone(seen) as never, {
    defaultNonNullable: false,
    transform: (_schema, { path = "" }) => {
      const name = path.split("/").at(-1) ?? "";
      const type = path.startsWith("#/components/schemas/") ? typeOf(name) : undefined;
      return type === undefined ? undefined : ts.factory.createTypeReferenceNode(type);
    },
  });
  const names = Object.keys(seen.components?.schemas ?? {}).filter((name) => typeOf(name) === undefined);
  return [
    'import type { JsonInput, PartialJsonInput, JsonInputObject, JsonObject, Projected } from "../schemas/json-types.js";',
    'export type { JsonInputObject, JsonInputValue, JsonObject, JsonValue } from "../schemas/json-types.js";',
    "",
    generic(astToString(nodes)),
    ...shortNames(names, seen),
  ].join("\n");
}

function typeOf(name: string): string | undefined {
  return (typeNamesBySchema as Readonly<Record<string, string>>)[name];
}

/** Gives the interfaces of openapi-typescript what items and entities hold as parameters. */
function generic(text: string): string {
  const declared = text.replaceAll(
    /^export interface (paths|components|operations) \{/gm,
    `export interface $1${parameters} {`,
  );
  return declared
    .replaceAll('components["schemas"]', `components${typeArguments}["schemas"]`)
    .replaceAll(/\boperations\["/g, `operations${typeArguments}["`);
}

/** `Item` for `components["schemas"]["Item"]`, generic in the data that the schema holds, directly or through others. */
function shortNames(names: readonly string[], { components = {} }: OpenAPIObject): readonly string[] {
  const texts = new Map(names.map((name) => [name, JSON.stringify(components.schemas?.[name])]));
  const holding = (data: "ItemData" | "EntityData") => {
    const found = new Set<string>(
      Object.entries(typeNamesBySchema).flatMap(([name, type]) => (type.includes(data) ? [name] : [])),
    );
    // a set is gone through to what is added meanwhile
    for (const held of found)
      for (const [name, text] of texts) if (text.includes(`/${held}"`)) found.add(name);
    return found;
  };
  const ofItems = holding("ItemData");
  const ofEntities = holding("EntityData");
  return names.map((name) => {
    const data = ofItems.has(name) ? "ItemData" : ofEntities.has(name) ? "EntityData" : undefined;
    const held = data === undefined ? "" : data === "ItemData" ? "<Data>" : "<JsonObject, Data>";
    const own = data === undefined ? "" : "<Data extends JsonInputObject = JsonObject>";
    return `export type ${name}${own} = components${held}["schemas"]["${name}"];`;
  });
}
