import openapiTS, { astToString } from "openapi-typescript";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import ts from "typescript";
import { buildTypesDocument, typeNamesBySchema } from "./types-document.js";

const parameters =
  "<ItemData extends JsonInputObject = JsonObject, EntityData extends JsonInputObject = JsonObject>";
const typeArguments = "<ItemData, EntityData>";

/** Generates the types of the service, which are generic in the data of items and entities, with a name for each schema. */
export async function generateServiceTypes(document: OpenAPIObject): Promise<string> {
  const typesDocument = buildTypesDocument(document);
  const nodes = await openapiTS(structuredClone(typesDocument) as never, {
    defaultNonNullable: false,
    transform: (_schema, { path = "" }) => {
      const name = path.split("/").at(-1) ?? "";
      const type = path.startsWith("#/components/schemas/") ? getTypeName(name) : undefined;
      return type === undefined ? undefined : ts.factory.createTypeReferenceNode(type);
    },
  });
  const names = Object.keys(typesDocument.components?.schemas ?? {}).filter(
    (name) => getTypeName(name) === undefined,
  );
  return [
    'import type { JsonInput, PartialJsonInput, JsonInputObject, JsonObject, Projected } from "../schemas/json-types.js";',
    'export type { JsonInputObject, JsonInputValue, JsonObject, JsonValue } from "../schemas/json-types.js";',
    "",
    addTypeParameters(astToString(nodes)),
    ...listTypeAliases(names, typesDocument),
  ].join("\n");
}

function getTypeName(name: string): string | undefined {
  return (typeNamesBySchema as Readonly<Record<string, string>>)[name];
}

/** Adds type parameters for the data of items and entities to the interfaces of openapi-typescript. */
function addTypeParameters(text: string): string {
  const declared = text.replaceAll(
    /^export interface (paths|components|operations) \{/gm,
    `export interface $1${parameters} {`,
  );
  return declared
    .replaceAll('components["schemas"]', `components${typeArguments}["schemas"]`)
    .replaceAll(/\boperations\["/g, `operations${typeArguments}["`);
}

/** Declares `Item` as an alias of `components["schemas"]["Item"]`, generic in the data that the schema contains. */
function listTypeAliases(names: readonly string[], { components = {} }: OpenAPIObject): readonly string[] {
  const texts = new Map(names.map((name) => [name, JSON.stringify(components.schemas?.[name])]));
  /** Finds the schemas that contain data, directly or through other schemas. */
  const findSchemasWith = (data: "ItemData" | "EntityData") => {
    const found = new Set<string>(
      Object.entries(typeNamesBySchema).flatMap(([name, type]) => (type.includes(data) ? [name] : [])),
    );
    // the iteration includes names that are added during it
    for (const contained of found)
      for (const [name, text] of texts) if (text.includes(`/${contained}"`)) found.add(name);
    return found;
  };
  const withItemData = findSchemasWith("ItemData");
  const withEntityData = findSchemasWith("EntityData");
  return names.map((name) => {
    const types = withItemData.has(name) ? "<Data>" : withEntityData.has(name) ? "<JsonObject, Data>" : "";
    const parameter = types === "" ? "" : "<Data extends JsonInputObject = JsonObject>";
    return `export type ${name}${parameter} = components${types}["schemas"]["${name}"];`;
  });
}
