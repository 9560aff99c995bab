import type { OpenAPIObject, OperationObject, ResponseObject, SchemaObject } from "openapi3-ts/oas31";
import { type CompareKind } from "../../openapi/schemas/compare-kinds.js";
import type { OperationId } from "../../openapi/operations/register.js";

/** A schema, and references to be followed. */
type Schema = SchemaObject & { readonly $ref?: string; readonly "x-compare"?: CompareKind };

/** What the contract says of a value: how it is compared, and what it consists of. */
export interface Shape {
  readonly kind?: CompareKind | undefined;
  /** The name of the schema, where it has one. */
  readonly name?: string | undefined;
  /** The fields that the contract names; nothing for what is no object. */
  readonly fields?: ReadonlyMap<string, Place> | undefined;
  readonly items?: Place | undefined;
  /** What the values of both targets have to be, whatever they say. */
  readonly format?: "uri" | "integer" | undefined;
}

/** A place in an answer; its shape depends on the value where the contract allows several. */
export type Place = (value: unknown) => Shape;

const unknownShape: Shape = {};

/** A place that the contract says nothing about. */
export const unknownPlace: Place = () => unknownShape;

/** Finds what a document says of the values in answers. */
export class AnswerSchemas {
  readonly #document: OpenAPIObject;
  readonly #responses = new Map<string, Record<string, ResponseObject>>();
  readonly #places = new Map<object, Place>();

  constructor(document: OpenAPIObject) {
    this.#document = document;
    for (const item of Object.values(document.paths ?? {}))
      for (const operation of Object.values(item as Record<string, OperationObject>)) {
        const id = operation["x-operation"] as string | undefined;
        if (id !== undefined && !this.#responses.has(id))
          this.#responses.set(id, operation.responses as Record<string, ResponseObject>);
      }
  }

  /** The body of an answer. */
  bodyOf(operationId: OperationId, status: number): Place {
    const responses = this.#responses.get(operationId) ?? {};
    const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
    const schemas = Object.values(response?.content ?? {}).flatMap(({ schema }) => schema ?? []);
    // an error that the operation does not name is compared like those that it does
    const { schemas: named = {} } = this.#document.components ?? {};
    const known =
      schemas.length > 0
        ? schemas
        : ["Problem", "ErrorMessage", "SqlError"].flatMap((name) =>
            named[name] === undefined ? [] : { $ref: `#/components/schemas/${name}` },
          );
    const [first, ...others] = known as readonly Schema[];
    if (first === undefined) return unknownPlace;
    return this.#placeOf(others.length === 0 ? first : { anyOf: [...(known as Schema[])] });
  }

  #placeOf(schema: Schema): Place {
    let place = this.#places.get(schema);
    if (place === undefined)
      this.#places.set(schema, (place = remembering((value) => this.#shapeOf(schema, value))));
    return place;
  }

  #shapeOf(schema: Schema, value: unknown): Shape {
    const { $ref, "x-compare": kind, anyOf, allOf, properties, items, format, type } = schema;
    const beside = (shape: Shape): Shape => ({ ...shape, kind: kind ?? shape.kind });
    if ($ref !== undefined) {
      const shape = beside(this.#placeOf(this.#named($ref))(value));
      return { ...shape, name: shape.name ?? $ref.slice($ref.lastIndexOf("/") + 1) };
    }
    if (anyOf !== undefined) {
      const [best] = (anyOf as readonly Schema[])
        .map((branch) => ({ branch, score: this.#fit(branch, value) }))
        .sort((a, b) => b.score - a.score);
      return beside(best === undefined || best.score < 0 ? unknownShape : this.#placeOf(best.branch)(value));
    }
    if (allOf?.[0] !== undefined) return beside(this.#placeOf(allOf[0] as Schema)(value));
    return {
      kind,
      fields:
        properties === undefined
          ? undefined
          : new Map(
              Object.entries(properties).map(([name, field]) => [name, this.#placeOf(field as Schema)]),
            ),
      items: items === undefined ? undefined : this.#placeOf(items as Schema),
      format: format === "uri" ? "uri" : [type].flat().includes("integer") ? "integer" : undefined,
    };
  }

  /** How well a value fits a schema: by the fields that it has; below zero where it does not. */
  #fit(schema: Schema, value: unknown): number {
    const resolved = this.#resolved(schema);
    if (resolved.anyOf !== undefined)
      return Math.max(...(resolved.anyOf as readonly Schema[]).map((branch) => this.#fit(branch, value)));
    const types = [resolved.type ?? []].flat();
    if (types.length > 0 && !types.includes(typeOf(value))) return -1;
    if (typeOf(value) !== "object") return 0;
    const names = Object.keys(resolved.properties ?? {});
    return Object.keys(value as object).filter((name) => names.includes(name)).length;
  }

  #resolved(schema: Schema): Schema {
    if (schema.$ref !== undefined) return this.#resolved(this.#named(schema.$ref));
    return schema.allOf?.[0] === undefined ? schema : this.#resolved(schema.allOf[0] as Schema);
  }

  #named(reference: string): Schema {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    return (this.#document.components?.schemas?.[name] ?? {}) as Schema;
  }
}

/** The name of a JSON value's type, as schemas have it; numbers may come as objects of their own. */
export function typeOf(value: unknown): "null" | "array" | "object" | "string" | "boolean" | "number" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "object")
    return Object.getPrototypeOf(value) === Object.prototype ? "object" : "number";
  return typeof value as "string" | "boolean" | "number";
}

/** Shapes of all but objects depend on the type of the value alone. */
function remembering(find: Place): Place {
  const known = new Map<string, Shape>();
  return (value) => {
    const type = typeOf(value);
    if (type === "object") return find(value);
    let shape = known.get(type);
    if (shape === undefined) known.set(type, (shape = find(value)));
    return shape;
  };
}
