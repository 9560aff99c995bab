import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { collectReferencedSchemas } from "../../../openapi/document/collect-references.js";
import { listOperations } from "../../../openapi/document/list-operations.js";
import { splitVariants } from "./split-variants.js";

type Part = Readonly<Record<string, unknown>>;
type Schema = SchemaObject | ReferenceObject;

/** Types from `openapi/schemas/json-types.ts` that replace schemas in the types of the service. */
export const typeNamesBySchema = {
  JsonObject: "JsonObject",
  JsonObjectInput: "JsonInputObject",
  ItemData: "ItemData",
  ItemDataInput: "JsonInput<ItemData>",
  PartialItemDataInput: "PartialJsonInput<ItemData>",
  ProjectedItemData: "Projected<ItemData>",
  EntityData: "EntityData",
  EntityDataInput: "JsonInput<EntityData>",
} as const;

/** Names of the schemas for free-form data, by use. */
const names = {
  received: { JsonObject: "JsonObject", ItemData: "ItemData", EntityData: "EntityData" },
  projected: { JsonObject: "JsonObject", ItemData: "ProjectedItemData", EntityData: "EntityData" },
  sent: { JsonObject: "JsonObjectInput", ItemData: "ItemDataInput", EntityData: "EntityDataInput" },
  updated: { JsonObject: "JsonObjectInput", ItemData: "PartialItemDataInput", EntityData: "EntityDataInput" },
} as const;
type Use = keyof typeof names;

/** Former names of schemas, which remain as deprecated aliases. */
const formerNames = { LoginResponse: "LoginResult", PutItemResponse: "PutItemResult" } as const;

/**
 * Builds the document from which types are generated. Schemas whose fields depend on one field become unions, and
 * free-form data has different types in requests and responses.
 */
export function buildTypesDocument(document: OpenAPIObject): OpenAPIObject {
  const copy = structuredClone(document);
  const schemas = (copy.components?.schemas ?? {}) as Record<string, Schema>;
  const bodies = listOperations(copy).map(({ operation }) => operation.requestBody);
  const sent = collectReferencedSchemas(bodies, schemas);
  for (const [name, schema] of Object.entries(schemas)) {
    const variants = splitVariants(schema, !sent.has(name));
    schemas[name] =
      variants === undefined
        ? renameDataSchemas(schema, getUse(name, schema, sent))
        : { oneOf: variants.map((variant) => renameDataSchemas(variant, getUse(name, variant, sent))) };
  }
  for (const name of Object.keys(typeNamesBySchema))
    schemas[name] = { description: schemas[name]?.description ?? "Free-form JSON, as it is sent." };
  for (const [former, name] of Object.entries(formerNames))
    schemas[former] = { $ref: reference(name), description: `@deprecated renamed to ${name}` };
  return copy;
}

const reference = (name: string) => `#/components/schemas/${name}`;

function getUse(name: string, schema: Schema, sent: ReadonlySet<string>): Use {
  if (!sent.has(name)) return name === "TransactGetResult" ? "projected" : "received";
  const action = "$ref" in schema ? undefined : schema.properties?.action;
  return action !== undefined && "enum" in action && action.enum.join() === "Update" ? "updated" : "sent";
}

/** Replaces the names of schemas for free-form data with the names for a use. */
function renameDataSchemas<Whole>(part: Whole, use: Use): Whole {
  if (Array.isArray(part)) return part.map((entry: unknown) => renameDataSchemas(entry, use)) as Whole;
  if (typeof part !== "object" || part === null) return part;
  const { $ref, additionalProperties, properties, type, description } = part as Part;
  if (typeof $ref === "string") {
    const name = $ref.split("/").at(-1) ?? "";
    const free = (names[use] as Readonly<Record<string, string>>)[name];
    return { ...part, $ref: reference(free ?? name) };
  }
  if (additionalProperties === true && properties === undefined) {
    const free = { $ref: reference(names[use].JsonObject) };
    const isNullable = Array.isArray(type) && type.includes("null");
    return {
      ...(description === undefined ? {} : { description }),
      ...(isNullable ? { anyOf: [free, { type: "null" }] } : free),
    } as Whole;
  }
  return Object.fromEntries(
    Object.entries(part).map(([name, inside]) => [name, renameDataSchemas(inside as unknown, use)]),
  ) as Whole;
}
