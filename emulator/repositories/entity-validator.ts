import type { Profile } from "../../openapi/gaps/profile.js";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { describeType, describeValueType } from "../../openapi/validation/schema-errors.js";
import { type Mistake, truncateMistakes } from "../../openapi/validation/truncate-mistakes.js";
import { countCodePoints, exceedsCodePointCount } from "../json/character-codes.js";
import { isNumber } from "../json/compare-json.js";
import { compareNumbers } from "../json/compare-numbers.js";
import {
  getField,
  getFieldEntries,
  isJsonArray,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
} from "../json/json-value.js";
import { stringifyJson } from "../json/stringify-json.js";
import { LinearPattern } from "./linear-pattern.js";
import type { FieldDefinition, RepositorySchema } from "./schema-reader.js";
import { memoize } from "../../openapi/text/memoize.js";

/** Validates the data of entities against a repository schema (clauses REPO-10 to REPO-21). */
export class EntityValidator {
  readonly #schema: RepositorySchema;
  readonly #rejectsUnknown: boolean;
  /** Whether a field that is not required may be null. */
  readonly #allowsNulls: boolean;
  readonly #getRequiredNames = memoize((schema: RepositorySchema) =>
    [...schema].flatMap(([name, { required }]) => (required ? [name] : [])),
  );
  /** The remaining cost of patterns in this validation. */
  #remainingWork = 0;
  #mistakes: Mistake[] = [];
  /** The path to the value that is being checked. */
  readonly #path: (string | number)[] = [];

  constructor(schema: RepositorySchema, profile: Profile) {
    this.#schema = schema;
    this.#rejectsUnknown = profile["entity-unknown-fields"] === "reject";
    this.#allowsNulls = profile["entity-null-fields"] === "kept";
  }

  /** Finds mistakes, at most as many as a response shows. @param pointer the location of the data */
  validate(data: JsonObject, pointer: string): readonly Mistake[] {
    this.#mistakes = [];
    this.#path.length = 0;
    this.#remainingWork = emulatorDefinedLimits.pattern.work;
    try {
      this.#checkFields(data, this.#schema);
    } catch (error) {
      if (!(error instanceof PatternLimitError)) throw error;
      return [{ pointer, detail: error.message }];
    }
    const found = this.#mistakes.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` }));
    return truncateMistakes(found, (detail) => ({ pointer, detail }));
  }

  #checkFields(data: JsonObject, schema: RepositorySchema): void {
    if (schema.size === 0) return;
    for (const name of this.#getRequiredNames(schema)) {
      if (this.#isFull()) return;
      if (getField(data, name) === undefined) this.#add("is required", name);
    }
    for (const [name, value] of getFieldEntries(data)) {
      if (this.#isFull()) return;
      const definition = schema.get(name);
      if (definition === undefined) {
        if (this.#rejectsUnknown) this.#add("is not a known field", name);
        continue;
      }
      const mayBeNull = this.#allowsNulls && !definition.required;
      if (value === null && mayBeNull) continue;
      this.#path.push(name);
      this.#checkValue(value, definition, mayBeNull);
      this.#path.pop();
    }
  }

  #checkValue(value: JsonValue, definition: FieldDefinition, mayBeNull: boolean): void {
    const { type, properties } = definition;
    if (type === "string" && typeof value === "string") this.#checkString(value, definition);
    else if (type === "number" && isNumber(value)) this.#checkNumber(value, definition);
    else if (type === "array" && isJsonArray(value)) this.#checkArray(value, definition);
    else if (type === "object" && isJsonObject(value)) this.#checkFields(value, properties ?? noFields);
    else if (type !== "boolean" || typeof value !== "boolean") {
      const found = value instanceof JsonNumber ? value.value : value;
      const expected = `${describeType(type)}${mayBeNull ? " or null" : ""}`;
      this.#add(`must be ${expected}, not ${describeValueType(found)}`);
    }
  }

  #checkString(value: string, { minLength = 0, maxLength, pattern }: FieldDefinition): void {
    if (maxLength !== undefined && exceedsCodePointCount(value, maxLength))
      this.#add(`must have at most ${maxLength} characters`);
    // A code point has one or two UTF-16 units.
    if (value.length < minLength * 2 && countCodePoints(value) < minLength)
      this.#add(minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`);
    if (pattern !== undefined) this.#checkPattern(value, pattern);
  }

  #checkNumber(value: number | JsonNumber, { min, max }: FieldDefinition): void {
    if (min !== undefined && compareNumbers(value, min) < 0) this.#add(`must be >= ${stringifyJson(min)}`);
    if (max !== undefined && compareNumbers(value, max) > 0) this.#add(`must be <= ${stringifyJson(max)}`);
  }

  #checkArray(value: readonly JsonValue[], { items, minItems, maxItems }: FieldDefinition): void {
    if (maxItems !== undefined && value.length > maxItems) this.#add(`must have at most ${maxItems} entries`);
    if (minItems !== undefined && value.length < minItems)
      this.#add(`must have at least ${minItems} entries`);
    if (items === undefined) return;
    for (const [index, entry] of value.entries()) {
      if (this.#isFull()) return;
      this.#path.push(index);
      this.#checkValue(entry, items, false);
      this.#path.pop();
    }
  }

  #checkPattern(text: string, source: string): void {
    const pattern = LinearPattern.get(source);
    // The pattern was compiled when the schema was created.
    if ("mistake" in pattern) throw new Error(pattern.mistake);
    this.#remainingWork -= pattern.instructions * (text.length + 20);
    if (this.#remainingWork < 0) throw new PatternLimitError(source);
    if (!pattern.test(text)) this.#add(`must match ${source}`);
  }

  /** Whether there are already more mistakes than a response shows. */
  #isFull(): boolean {
    return this.#mistakes.length > emulatorDefinedLimits.mistakesShown;
  }

  #add(detail: string, ...names: readonly string[]): void {
    this.#mistakes.push({ pointer: [...this.#path, ...names].reduce(appendPointer, ""), detail });
  }
}

const noFields: RepositorySchema = new Map();

/** Matching the texts of one entity against the patterns of its schema is too expensive. */
class PatternLimitError extends Error {
  constructor(source: string) {
    super(
      `is too long to match against the pattern ${JSON.stringify(source)}; ` +
        "shorten the text, or reduce the repetitions in the pattern",
    );
  }
}
