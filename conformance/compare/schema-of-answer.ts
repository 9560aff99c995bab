import type { OpenAPIObject, OperationObject, ResponseObject, SchemaObject } from "openapi3-ts/oas31";
import type { GapId } from "../../openapi/gaps/register.js";
import { type CompareKind } from "../../openapi/schemas/compare-kinds.js";
import type { OperationId } from "../../openapi/operations/register.js";

/** A schema, and references to be followed. */
type Schema = SchemaObject & {
  readonly $ref?: string;
  readonly "x-compare"?: CompareKind;
  readonly "x-gap"?: GapId | readonly GapId[];
};

/** What the contract says of a value: how it is compared, and of what it is made. */
export interface Shape {
  readonly kind: CompareKind | undefined;
  /** The members that the contract names; nothing for what is no object. */
  readonly members: ReadonlyMap<string, Place> | undefined;
  readonly items: Place | undefined;
  /** What both sides' values have to be, whatever they say: a URL that begins with its scheme, a whole number. */
  readonly form?: "uri" | "integer" | undefined;
  /** The questions that what stands here answers. */
  readonly gaps?: readonly GapId[];
}

/** A place of the contract; what stands there depends on the value, where it may be of several forms. */
export type Place = (value: unknown) => Shape;

const unknownShape: Shape = { kind: undefined, members: undefined, items: undefined };

/** A place that the contract says nothing about. */
export const unknownPlace: Place = () => unknownShape;

/** Finds out what a document says of the values of answers. */
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
    if (schemas.length === 0) return this.#errorBody();
    return this.#unionOf(schemas as readonly Schema[]);
  }

  /** The questions that an operation asks with an answer of a status, whatever is in its body. */
  gapsOf(operationId: OperationId, status: number): readonly GapId[] {
    const response = this.#responses.get(operationId)?.[String(status)];
    return [
      (response as { readonly "x-gap"?: GapId | readonly GapId[] } | undefined)?.["x-gap"] ?? [],
    ].flat();
  }

  /** Bodies of errors that no operation names: those that the contract knows at all. */
  #errorBody(): Place {
    const { schemas = {} } = this.#document.components ?? {};
    const known = ["Problem", "ErrorMessage", "SqlError"].flatMap((name) => schemas[name] ?? []);
    return this.#unionOf(known as readonly Schema[]);
  }

  #unionOf(schemas: readonly Schema[]): Place {
    const [first] = schemas;
    if (first === undefined) return unknownPlace;
    return schemas.length === 1 ? this.#placeOf(first) : this.#placeOf({ anyOf: [...schemas] });
  }

  #placeOf(schema: Schema): Place {
    let place = this.#places.get(schema);
    if (place === undefined)
      this.#places.set(schema, (place = remembering((value) => this.#shapeOf(schema, value))));
    return place;
  }

  #shapeOf(schema: Schema, value: unknown): Shape {
    const { $ref, "x-compare": kind, anyOf, allOf, properties, items, format, type } = schema;
    const gaps = [schema["x-gap"] ?? []].flat();
    const beside = (shape: Shape): Shape => ({
      ...shape,
      kind: kind ?? shape.kind,
      gaps: [...gaps, ...(shape.gaps ?? [])],
    });
    if ($ref !== undefined) return beside(this.#placeOf(this.#named($ref))(value));
    if (anyOf !== undefined) {
      const branches = anyOf as readonly Schema[];
      const fitting = branches
        .map((branch) => ({ branch, score: this.#fit(branch, value) }))
        .sort((a, b) => b.score - a.score)[0];
      return fitting === undefined || fitting.score < 0
        ? beside(unknownShape)
        : beside(this.#placeOf(fitting.branch)(value));
    }
    if (allOf?.[0] !== undefined) return beside(this.#placeOf(allOf[0] as Schema)(value));
    return {
      kind,
      members:
        properties === undefined
          ? undefined
          : new Map(
              Object.entries(properties).map(([name, member]) => [name, this.#placeOf(member as Schema)]),
            ),
      items: items === undefined ? undefined : this.#placeOf(items as Schema),
      form: format === "uri" ? "uri" : [type].flat().includes("integer") ? "integer" : undefined,
      gaps,
    };
  }

  /** How well a value fits a form: by the members that it has; below zero where it does not. */
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
