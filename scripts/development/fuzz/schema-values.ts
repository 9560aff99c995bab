import fc from "fast-check";
import type { OpenAPIObject, SchemaObject } from "openapi3-ts/oas31";
import {
  conditionWithValuesArbitrary,
  ddlStatementArbitrary,
  freeFormDataArbitrary,
  costlyItemFieldsArbitrary,
  queryWithValuesArbitrary,
  withRareValue,
  occasionalTextMutation,
  arbitrariesByField,
  wordArbitrary,
} from "./fuzz-texts.js";
import type { LiveState } from "./live-state.js";

type Schema = SchemaObject | { readonly $ref: string };

/** Generates values that mostly match a schema of a document and make sense in the current state. */
export class SchemaArbitraries {
  readonly #named = new Map<string, fc.Arbitrary<unknown>>();

  constructor(
    private readonly document: OpenAPIObject,
    private readonly live: LiveState,
  ) {}

  /** @param name of the field or parameter */
  of(schema: Schema, name = ""): fc.Arbitrary<unknown> {
    const specific = arbitrariesByField[name];
    const valid = "$ref" in schema ? this.#ofReference(schema.$ref, name) : this.#ofSchema(schema, name);
    return specific === undefined ? valid : withRareValue(20, specific, valid);
  }

  /** Creates the arbitrary when it generates its first value, because schemas can refer to themselves. */
  #ofReference(reference: string, name: string): fc.Arbitrary<unknown> {
    return fc.constant(0).chain(() => {
      const key = `${reference} ${name}`;
      const component = this.document.components?.schemas?.[reference.split("/").at(-1) ?? ""] ?? {};
      const known =
        this.#named.get(key) ??
        ("$ref" in component ? this.#ofReference(component.$ref, name) : this.#ofSchema(component, name));
      this.#named.set(key, known);
      return known;
    });
  }

  #ofSchema(schema: SchemaObject, name: string): fc.Arbitrary<unknown> {
    const { type, properties, items, required = [], minimum = 0, maximum = 1e9 } = schema;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map((choice) => this.of(choice, name)));
    if (schema.enum !== undefined) return fc.constantFrom<unknown>(...(schema.enum as unknown[]));
    if (Array.isArray(type))
      return fc.oneof(...type.map((one) => this.#ofSchema({ ...schema, type: one }, name)));
    switch (type) {
      case "string":
        return fc
          .tuple(this.live.valueOf(name), wordArbitrary, occasionalTextMutation)
          .map(([known, word, change]) => change(known ?? word));
      case "integer":
      case "number":
        return fc
          .oneof(...[1, 19, 999].map((more) => fc.nat(more)))
          .map((more) => Math.min(maximum, minimum + more));
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array": {
        const minLength = schema.minItems ?? 0;
        const bounds = { minLength, maxLength: Math.max(minLength, Math.min(schema.maxItems ?? 8, 30)) };
        return fc.array(this.of(items ?? {}, name), { ...bounds, size: "small" });
      }
      default:
        return properties === undefined ? freeFormDataArbitrary : this.#objects(properties, required);
    }
  }

  #objects(
    properties: NonNullable<SchemaObject["properties"]>,
    required: readonly string[],
  ): fc.Arbitrary<object> {
    const fields = Object.entries(properties).map(([name, schema]): [string, fc.Arbitrary<unknown>] => [
      name,
      // without data, most entries of batches would be rejected
      required.includes(name) || name === "data"
        ? this.of(schema, name)
        : fc.option(this.of(schema, name), { nil: undefined, freq: 2 }),
    ]);
    const objects = fc.record(Object.fromEntries(fields)) as fc.Arbitrary<object>;
    const withTexts = ["conditionExpression", "filter", "sql"]
      .filter((text) => text in properties)
      .reduce((arbitrary, text) => this.#withText(arbitrary, text, properties), objects);
    return "pk" in properties && "data" in properties
      ? fc
          .tuple(withTexts, withRareValue(60, fc.constant({}), costlyItemFieldsArbitrary))
          .map(([object, long]) => ({ ...object, ...long }))
      : withTexts;
  }

  /** Replaces an expression or statement in objects, along with the field that has its values. */
  #withText(objects: fc.Arbitrary<object>, text: string, properties: object): fc.Arbitrary<object> {
    const values = ["filterValues", "parameters"].find((name) => name in properties);
    const texts: fc.Arbitrary<readonly [string, unknown]> =
      text !== "sql"
        ? conditionWithValuesArbitrary
        : values === undefined
          ? ddlStatementArbitrary.map((definition) => [definition, null])
          : queryWithValuesArbitrary;
    return fc.tuple(objects, texts, occasionalTextMutation).map(([object, [written, given], change]) => {
      if ((object as Readonly<Record<string, unknown>>)[text] === undefined) return object;
      const changed = { ...object, [text]: change(written) };
      return values === undefined ? changed : { ...changed, [values]: given ?? undefined };
    });
  }
}
