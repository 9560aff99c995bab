import type { OpenAPIObject, OperationObject, ResponseObject, SchemaObject } from "openapi3-ts/oas31";
import type { Profile } from "../../openapi/gaps/profile.js";
import { type CompareKind } from "../../openapi/schemas/compare-kinds.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { getOpenContract, getStrictContract } from "../client/contracts.js";
import type { Target } from "../target/target.js";

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

/** Schemas of the errors that an operation does not name: they are compared like those that it does. */
const errorSchemas = ["Problem", "ErrorMessage", "SqlError"];

/** Finds what a document says of the values in answers. */
export class AnswerSchemas {
  readonly #named: Readonly<Record<string, Schema>>;
  readonly #responses = new Map<string, Record<string, ResponseObject>>();
  readonly #places = new Map<object, Place>();

  constructor({ paths = {}, components }: OpenAPIObject) {
    this.#named = (components?.schemas ?? {}) as Record<string, Schema>;
    for (const item of Object.values(paths))
      for (const operation of Object.values(item as Record<string, OperationObject>)) {
        const id = operation["x-operation"] as string | undefined;
        if (id !== undefined && !this.#responses.has(id))
          this.#responses.set(id, operation.responses as Record<string, ResponseObject>);
      }
  }

  /** By the document of a target's profile, or the open one where that is not known. */
  static of({ isStrict, known }: Pick<Target, "isStrict" | "known">): AnswerSchemas {
    return new AnswerSchemas((isStrict ? getStrictContract(known as Profile) : getOpenContract()).document);
  }

  /** The body of an answer. */
  bodyOf(operationId: OperationId, status: number): Place {
    const responses = this.#responses.get(operationId) ?? {};
    const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
    const told = Object.values(response?.content ?? {}).flatMap(({ schema }) =>
      schema === undefined ? [] : [schema as Schema],
    );
    const schemas =
      told.length > 0
        ? told
        : errorSchemas.filter((name) => name in this.#named).map((name): Schema => ({ $ref: `/${name}` }));
    const [first = {}] = schemas;
    return this.#placeOf(schemas.length === 1 ? first : { anyOf: schemas });
  }

  #placeOf(schema: Schema): Place {
    let place = this.#places.get(schema);
    if (place === undefined) this.#places.set(schema, (place = this.#makePlace(schema)));
    return place;
  }

  #makePlace(schema: Schema): Place {
    const { $ref, "x-compare": kind, anyOf } = schema;
    const inner = this.#inner(schema);
    const name = $ref?.slice($ref.lastIndexOf("/") + 1);
    const branches = (inner === undefined ? anyOf : [inner]) as readonly Schema[] | undefined;
    if (branches === undefined) {
      let shape: Shape | undefined;
      return () => (shape ??= this.#shapeOf(schema));
    }
    return (value) => {
      const [best] = branches
        .map((branch) => ({ branch, score: this.#fit(branch, value) }))
        .sort((a, b) => b.score - a.score);
      const fits = best !== undefined && (best.score >= 0 || inner !== undefined);
      const shape = fits ? this.#placeOf(best.branch)(value) : unknownShape;
      return { ...shape, kind: kind ?? shape.kind, name: shape.name ?? name };
    };
  }

  #shapeOf({ "x-compare": kind, properties, items, format, type }: Schema): Shape {
    const fields = Object.entries(properties ?? {}).map(
      ([name, field]) => [name, this.#placeOf(field as Schema)] as const,
    );
    return {
      kind,
      fields: properties === undefined ? undefined : new Map(fields),
      items: items === undefined ? undefined : this.#placeOf(items as Schema),
      format: format === "uri" ? "uri" : [type].flat().includes("integer") ? "integer" : undefined,
    };
  }

  /** How well a value fits a schema: by the fields that it has; below zero where it does not. */
  #fit(schema: Schema, value: unknown): number {
    const inner = this.#inner(schema);
    if (inner !== undefined) return this.#fit(inner, value);
    const { anyOf, type = [], properties = {} } = schema;
    if (anyOf !== undefined)
      return Math.max(...(anyOf as readonly Schema[]).map((branch) => this.#fit(branch, value)));
    const types = [type].flat();
    if (types.length > 0 && !types.includes(typeOf(value))) return -1;
    return typeOf(value) === "object"
      ? Object.keys(value as object).filter((name) => name in properties).length
      : 0;
  }

  /** The schema that a reference leads to, or that an `allOf` adds something to. */
  #inner({ $ref, allOf }: Schema): Schema | undefined {
    if ($ref !== undefined) return this.#named[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {};
    return allOf?.[0] as Schema | undefined;
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
