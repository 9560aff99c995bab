import type * as ajvModule from "ajv";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { explainMistakes } from "../../openapi/validation/explain-mistakes.js";
import type { JsonObject } from "../json/json-value.js";
import { toPlain } from "../json/to-plain.js";
import type { Mistake } from "./mistake.js";
import { PatternEngine, TooMuchWork } from "./pattern-engine.js";
import type { EntityRules, RepositorySchema } from "./repository-schema.js";
import { canShape, shapeEntity } from "./shape-entity.js";
import { toJsonSchema } from "./to-json-schema.js";

/** The data of an entity as they are stored, or everything that is wrong with them. */
export type PreparedEntity =
  | {
      readonly data: JsonObject;
      /** Whether defaults were added or unknown fields dropped; if not, `data` is the very object given. */
      readonly changed: boolean;
    }
  | { readonly mistakes: readonly Mistake[] };

/** Holds the data of entities to a repository schema (clauses REPO-10 to REPO-21). */
export interface EntityPreparer {
  /** @param pointer where the data are in the request; `/data` unless it is given */
  prepare(data: JsonObject, pointer?: string): PreparedEntity;
}

/** Compiles a checked schema. The work happens with the first entity; keep the result as long as the schema lives. */
export function compileRepositorySchema(schema: RepositorySchema, rules: EntityRules): EntityPreparer {
  if (schema.size === 0) return { prepare: (data) => ({ data, changed: false }) };
  const drops = {
    unknown: rules.unknownFields === "drop",
    nulls: rules.nullFields === "dropped",
  };
  const shapes = canShape(schema, drops);
  let validate: ((data: unknown) => readonly Mistake[]) | undefined;
  return {
    prepare(given, pointer = "/data") {
      const data = shapes ? shapeEntity(given, schema, drops) : given;
      validate ??= createValidator(schema, rules);
      const mistakes = validate(toPlain(data));
      if (mistakes.length === 0) return { data, changed: data !== given };
      return { mistakes: mistakes.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })) };
    },
  };
}

function createValidator(
  schema: RepositorySchema,
  { unknownFields, nullFields }: EntityRules,
): (data: unknown) => readonly Mistake[] {
  const { Ajv } = lazyRequire("ajv") as typeof ajvModule;
  const patterns = new PatternEngine();
  const jsonSchema = toJsonSchema(schema, { unknownFields, takesNulls: nullFields === "kept" });
  // Ajv misses a required field of the empty name where it stops at the first mistake, but for its checks in loops
  const loopRequired = JSON.stringify(jsonSchema).includes('""') ? 1 : 200;
  const compile = (allErrors: boolean) =>
    new Ajv({
      allErrors,
      // shows the refused value to `describeSchemaError`
      verbose: true,
      // a field may be called `toString`
      ownProperties: true,
      loopRequired,
      meta: false,
      validateSchema: false,
      code: { regExp: patterns.forAjv() },
    }).compile(jsonSchema);
  const validate = compile(false);
  let thorough: ReturnType<typeof compile> | undefined;
  return (data) => {
    const findAll = () => {
      thorough ??= compile(true);
      patterns.begin();
      thorough(data);
      return thorough.errors;
    };
    try {
      patterns.begin();
      if (validate(data)) return [];
      const violations = explainMistakes(data, validate.errors, findAll, "body");
      return violations.map(({ pointer, detail }) => ({ pointer, detail }));
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      return [{ pointer: "", detail: error.message }];
    }
  };
}
