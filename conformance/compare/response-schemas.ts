import type { OpenAPIObject, OperationObject, ResponseObject, SchemaObject } from "openapi3-ts/oas31";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { ComparisonKind } from "../../openapi/schemas/compare-kinds.js";
import { getOpenContract, getStrictContract } from "../client/contracts.js";
import { getJsonType } from "../client/json-text.js";
import type { Target } from "../target/target.js";

/** A schema of the contract; an empty schema allows any value. */
export type Schema = SchemaObject & { readonly $ref?: string; readonly "x-compare"?: ComparisonKind };

/** What the contract says about a value: how to compare it, and its parts. */
export interface SchemaShape {
  readonly kind?: ComparisonKind | undefined;
  /** The name of the schema, if it has a name. */
  readonly name?: string | undefined;
  readonly fields: Readonly<Record<string, Schema>>;
  readonly items?: Schema | undefined;
  /** The format that the values of both targets must have. */
  readonly format?: "an absolute URL" | "an integer" | undefined;
}

/** Schemas of errors that an operation does not declare, so that they are compared like declared errors. */
const errorSchemas = ["Problem", "ErrorMessage", "SqlError"];

/** Finds the schemas of values in responses, according to a document. */
export class ResponseSchemas {
  readonly #named: Readonly<Record<string, Schema>>;
  readonly #responses = new Map<string, Record<string, ResponseObject>>();

  constructor({ paths = {}, components }: OpenAPIObject) {
    this.#named = (components?.schemas ?? {}) as Record<string, Schema>;
    for (const item of Object.values(paths))
      for (const operation of Object.values(item as Record<string, OperationObject>)) {
        const id = operation["x-operation"] as string | undefined;
        if (id !== undefined && !this.#responses.has(id))
          this.#responses.set(id, operation.responses as Record<string, ResponseObject>);
      }
  }

  /** Uses the document of the target's profile, or the open document if the profile is not known. */
  static forTarget({
    isStrict,
    knownAnswers: known,
  }: Pick<Target, "isStrict" | "knownAnswers">): ResponseSchemas {
    return new ResponseSchemas((isStrict ? getStrictContract(known as Profile) : getOpenContract()).document);
  }

  /** Returns the schema of a body. */
  getBodySchema(operationId: OperationId, status: number): Schema {
    const responses = this.#responses.get(operationId) ?? {};
    const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
    const documented = Object.values(response?.content ?? {}).flatMap(({ schema }) => schema ?? []);
    return documented.length > 0
      ? { anyOf: documented }
      : { anyOf: errorSchemas.filter((name) => name in this.#named).map((name) => ({ $ref: `/${name}` })) };
  }

  /** Returns the shape of a value according to a schema; of several alternatives, the one that the value matches best. */
  getShape(schema: Schema, value: unknown): SchemaShape {
    const { $ref, "x-compare": kind, properties = {}, items, format, type } = schema;
    const branches = this.#getBranches(schema);
    if (branches === undefined)
      return {
        kind,
        fields: properties as Readonly<Record<string, Schema>>,
        items: items as Schema | undefined,
        format:
          format === "uri" ? "an absolute URL" : [type].flat().includes("integer") ? "an integer" : undefined,
      };
    const shape = this.getShape(this.#findBest(branches, value), value);
    const name = shape.name ?? $ref?.slice($ref.lastIndexOf("/") + 1);
    return { ...shape, kind: kind ?? shape.kind, name };
  }

  #findBest(branches: readonly Schema[], value: unknown): Schema {
    if (branches.length === 1) return branches[0] ?? {};
    const fitting = branches.filter((branch) => this.#rateMatch(branch, value) >= 0);
    return fitting.sort((one, other) => this.#rateMatch(other, value) - this.#rateMatch(one, value))[0] ?? {};
  }

  /** Rates how well a value matches a schema by its fields; negative if it does not match. */
  #rateMatch(schema: Schema, value: unknown): number {
    const { type = [], properties = {} } = schema;
    const branches = this.#getBranches(schema);
    if (branches !== undefined)
      return Math.max(-1, ...branches.map((branch) => this.#rateMatch(branch, value)));
    const types = [type].flat();
    if (types.length > 0 && !types.includes(getJsonType(value))) return -1;
    const names = getJsonType(value) === "object" ? Object.keys(value as object) : [];
    return names.filter((name) => name in properties).length;
  }

  /** Returns the schemas that a schema refers to, extends or chooses from; undefined if there are none. */
  #getBranches({ $ref, allOf, anyOf }: Schema): readonly Schema[] | undefined {
    if ($ref !== undefined) return [this.#named[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {}];
    return (allOf?.slice(0, 1) ?? anyOf) as readonly Schema[] | undefined;
  }
}

/** Returns the schema of a field; undefined if the contract does not name the field. */
export function getFieldSchema({ fields }: SchemaShape, name: string): Schema | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
