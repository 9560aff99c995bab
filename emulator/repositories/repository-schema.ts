import type { FieldType } from "../../openapi/schemas/repositories.js";
import type { JsonValue } from "../json/json-value.js";

/** The definition of a field (part 2). Bounds are inclusive. */
export interface FieldDefinition {
  readonly type: FieldType;
  readonly required: boolean;
  readonly default?: JsonValue;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  readonly items?: FieldDefinition;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: RepositorySchema;
}

/** A checked repository schema: field name → definition, in the order given. Without fields it allows any object. */
export type RepositorySchema = ReadonlyMap<string, FieldDefinition>;
