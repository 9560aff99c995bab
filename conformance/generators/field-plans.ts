import fc from "fast-check";
import type { ClauseId } from "../../openapi/clauses/register.js";
import {
  findSchemaFaults,
  type FieldDefinition,
  type RepositorySchema,
} from "../models/repository-schema.js";

/** Plan for a field of a repository schema, as plain data, so that examples shrink like generated plans. */
export interface FieldPlan {
  readonly name: string;
  readonly type: FieldDefinition["type"];
  /** The lower bound, and the distance to the upper bound. */
  readonly low: number;
  readonly span: number;
  /** The factor of the bounds of numbers. */
  readonly unit: number;
  readonly bounds: "none" | "low" | "high" | "both";
  /** Number of the pattern of a string; 0 for none. */
  readonly pattern: number;
  readonly presence: "optional" | "required" | "default";
}

/** A value for a field. */
interface FieldValue {
  /** The clause that is broken if a valid value is refused or an invalid value is accepted. */
  readonly clause: ClauseId;
  readonly value: unknown;
  /** The only reason to refuse the value; undefined for a valid value. */
  readonly because?: string;
  /** Whether the value lacks a required field, which an update may keep from the value before. */
  readonly isIncomplete?: true;
}

export interface Field {
  readonly name: string;
  readonly definition: FieldDefinition;
  /** Values of the field; the first is plain and valid. */
  readonly values: readonly FieldValue[];
}

/** Plain names, and names that are difficult for faulty code, which may be refused. */
const fieldName = fc.oneof(
  fc.constantFrom("title", "a", "Title"),
  fc.constantFrom(
    "created_at",
    "toString",
    "hasOwnProperty",
    "length",
    "größe",
    "with space",
    "0",
    "type",
    "items",
  ),
);

export const fieldPlan: fc.Arbitrary<FieldPlan> = fc.record({
  name: fieldName,
  type: fc.constantFrom<FieldDefinition["type"]>("string", "number", "boolean", "array", "object"),
  low: fc.nat(4),
  span: fc.nat(3),
  unit: fc.constantFrom(1, 1, 0.5, 1e9),
  bounds: fc.constantFrom<FieldPlan["bounds"]>("none", "low", "high", "both"),
  pattern: fc.nat(5),
  presence: fc.constantFrom<FieldPlan["presence"]>("optional", "required", "default"),
});

/** Generates fields whose names differ in more than letter case. */
export const fieldPlans = fc.uniqueArray(fieldPlan, {
  minLength: 1,
  maxLength: 4,
  selector: ({ name }) => name.toLowerCase(),
});

/**
 * Whether a schema has only plain field names and small bounds, and declares the contents of arrays and objects; the
 * specification allows deployments to refuse other schemas.
 */
export function isOrdinarySchema(schema: RepositorySchema): boolean {
  return Object.entries(schema).every(([name, definition]) => {
    const { type, properties, items } = definition;
    return (
      /^[A-Za-z][A-Za-z0-9]*$/.test(name) &&
      !(name in Object.prototype) &&
      !["length", "type", "items"].includes(name) &&
      getBounds(definition).every((bound = 0) => Math.abs(bound) < 256) &&
      (type !== "object" || (properties !== undefined && isOrdinarySchema(properties))) &&
      (type !== "array" || (items !== undefined && isOrdinarySchema({ element: items })))
    );
  });
}

/** Declares contents for arrays and objects without `items` or `properties`; the values of all plans match them. */
export function declareContents(schema: RepositorySchema): RepositorySchema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, definition]) => {
      const { type, items = { type: "number" }, properties = objectFields } = definition;
      if (type === "array") return [name, { ...definition, ...declareContents({ items }) }];
      if (type === "object") return [name, { ...definition, properties: declareContents(properties) }];
      return [name, definition];
    }),
  );
}

const plain: FieldPlan = {
  name: "f",
  type: "string",
  low: 0,
  span: 0,
  unit: 1,
  bounds: "none",
  pattern: 0,
  presence: "optional",
};

/** A required string. */
export const requiredTextPlan: FieldPlan = { ...plain, presence: "required" };

/** A string of two to four characters. */
export const boundedTextPlan: FieldPlan = { ...plain, bounds: "both", low: 2, span: 2 };

/** A number with a default. */
export const defaultNumberPlan: FieldPlan = { ...plain, type: "number", presence: "default" };

/** Fields that every run tries: every type with every bound, including zero bounds, and every kind of presence. */
export const examplePlans: readonly FieldPlan[] = [
  requiredTextPlan,
  { ...plain, type: "number", presence: "required" },
  { ...plain, type: "boolean", presence: "required" },
  { ...plain, type: "array", presence: "required" },
  { ...plain, type: "object", presence: "required" },
  boundedTextPlan,
  { ...plain, type: "string", bounds: "high", low: 0, span: 0 },
  { ...plain, type: "string", bounds: "low", low: 1 },
  { ...plain, type: "string", bounds: "both", low: 2, span: 2, pattern: 1 },
  { ...plain, type: "string", pattern: 2 },
  { ...plain, type: "number", bounds: "low", low: 2 },
  { ...plain, type: "number", bounds: "high", low: 0, span: 2 },
  { ...plain, type: "number", bounds: "both", low: 0, span: 3 },
  { ...plain, type: "number", bounds: "low", low: 3, unit: 0.5 },
  { ...plain, type: "number", bounds: "high", low: 4, span: 1, unit: 1e9 },
  { ...plain, type: "string", bounds: "both", low: 300, span: 1 },
  { ...plain, type: "string", pattern: 4 },
  { ...plain, type: "number", name: "type" },
  { ...plain, type: "array", bounds: "both", low: 1, span: 1 },
  { ...plain, type: "array", bounds: "high", low: 0, span: 0 },
  { ...plain, type: "boolean", presence: "default" },
  { ...plain, type: "number", bounds: "low", low: 2, presence: "default" },
  { ...plain, type: "string", presence: "default", low: 1 },
  { ...plain, type: "string", pattern: 5 },
];

/** An object with many fields. */
const wideObject = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}`, n]));

/** Definitions of the fields of all objects in values. */
const objectFields: RepositorySchema = {
  a: { type: "number" },
  b: { type: "array", items: { type: "boolean" } },
  ...Object.fromEntries(Object.keys(wideObject).map((name) => [name, { type: "number" }])),
};

/** Values of each type, to try instead of values of other types. */
const samples: Readonly<Record<FieldDefinition["type"], readonly unknown[]>> = {
  string: ["5", "true", ""],
  number: [5, 0],
  boolean: [true, false],
  array: [[], ["5"]],
  object: [{}, { length: 2, "0": "5" }],
};

interface Pattern {
  readonly pattern: string;
  /** Returns a text of the given length, at least one, that matches the pattern. */
  readonly good: (length: number) => string;
  readonly bad: (length: number) => readonly string[];
}

/**
 * Patterns that mean the same in every dialect of regular expressions: anchored, without character classes that
 * differ, and without line breaks in the values.
 */
const patterns: readonly Pattern[] = [
  {
    pattern: "^[a-z]+$",
    good: (length) => "abcdefgh".repeat(length).slice(0, length),
    bad: (length) => ["Z", "é"].map((end) => "a".repeat(length - 1) + end).concat("7".padEnd(length, "a")),
  },
  {
    pattern: "^x[0-9]*$",
    good: (length) => `x${"0123456789".repeat(length).slice(0, length - 1)}`,
    bad: (length) => ["y".padEnd(length, "1"), "X".padEnd(length, "1")],
  },
  {
    pattern: "^[^ ]+$",
    good: (length) => "-".repeat(length),
    bad: (length) => [" ".padEnd(length, "-"), " ".padStart(length, "-")],
  },
  {
    pattern: "^\\.x*$",
    good: (length) => ".".padEnd(length, "x"),
    bad: (length) => ["\\".padEnd(length, "x"), "y".padEnd(length, "x")],
  },
  {
    pattern: "^(ab|x){1,}$",
    good: (length) => (length < 2 ? "x" : "ab".padEnd(length, "x")),
    bad: (length) => ["b".padEnd(length, "x"), "a".padStart(length, "x")],
  },
];

/** Builds a field with valid and invalid values, according to the model of schemas. */
export function buildField(plan: FieldPlan): Field {
  const { name, type, presence } = plan;
  const bare = createDefinition(plan);
  const [plainValue, ...others] = listCandidates(bare, plan);
  const wrong = (Object.keys(samples) as FieldDefinition["type"][])
    .filter((other) => other !== type)
    .flatMap((other) => samples[other])
    .concat(presence === "required" ? [null] : []);
  const values = [plainValue, ...others, ...wrong].map((value, index) =>
    classifyValue(bare, value, index === 0),
  );
  const validValues = values.filter(({ because }) => because === undefined);
  return {
    name,
    definition: {
      ...bare,
      ...(presence === "required" ? { required: true } : {}),
      ...(presence === "default" ? { default: validValues[plan.low % validValues.length]?.value } : {}),
      ...(presence === "optional" && plan.span > 1 ? { required: false } : {}),
    },
    values,
  };
}

/** The keys of the bounds of each type, with their clause. */
const boundKeys = {
  string: { keys: ["minLength", "maxLength"], clause: "REPO-14" },
  number: { keys: ["min", "max"], clause: "REPO-16" },
  array: { keys: ["minItems", "maxItems"], clause: "REPO-18" },
  boolean: undefined,
  object: undefined,
} as const;

function createDefinition({ type, low, span, unit, bounds, pattern }: FieldPlan): FieldDefinition {
  const own = type === "string" && pattern > 0 ? patterns[pattern - 1] : undefined;
  const least = type === "number" ? low - 2 : own === undefined ? low : Math.max(1, low);
  const factor = type === "number" ? unit : 1;
  const [lowKey = "", highKey = ""] = boundKeys[type]?.keys ?? [];
  return {
    type,
    ...(own === undefined ? {} : { pattern: own.pattern }),
    ...(lowKey !== "" && /low|both/.test(bounds) ? { [lowKey]: least * factor } : {}),
    ...(highKey !== "" && /high|both/.test(bounds) ? { [highKey]: (least + span) * factor } : {}),
  };
}

function getBounds(definition: FieldDefinition): readonly (number | undefined)[] {
  return (boundKeys[definition.type]?.keys ?? []).map((key) => definition[key]);
}

/** Returns values within and beyond the bounds of a field; the first is plain and valid. */
function listCandidates(definition: FieldDefinition, { low, pattern }: FieldPlan): readonly unknown[] {
  const [min, max] = getBounds(definition);
  const hasBounds = min !== undefined || max !== undefined;
  const lengths = (middle: number) =>
    [middle, min ?? 0, (min ?? 0) - 1, ...(max === undefined ? [] : [max, max + 1])].filter((n) => n >= 0);
  switch (definition.type) {
    case "string": {
      const own = definition.pattern === undefined ? undefined : patterns[pattern - 1];
      if (own !== undefined) {
        const longest = max ?? Math.max(1, low) + 2;
        return [
          ...lengths(longest)
            .filter((length) => length > 0)
            .map(own.good),
          ...own.bad(longest),
        ];
      }
      return [
        ...lengths(max === undefined ? (min ?? 0) + 1 : ((min ?? 0) + max) >> 1).map((length) =>
          "aBc".repeat(length).slice(0, length),
        ),
        ...(max === undefined ? [] : ["🙂".repeat(max + 1)]),
        ...(hasBounds ? [] : ['🙂é"\\\n', "long ".repeat(500)]),
      ];
    }
    case "number": {
      const middle = min === undefined ? (max ?? 4.25) - 1 : max === undefined ? min + 1 : (min + max) / 2;
      const around = [min, max].flatMap((bound) =>
        bound === undefined ? [] : [0, 0.125, -0.125, 1, -1, 1e6, -1e6].map((step) => bound + step),
      );
      return [middle, ...(hasBounds ? around : unusualNumbers)];
    }
    case "boolean":
      return [false, true];
    case "array":
      return [
        ...lengths(max === undefined ? (min ?? 0) + 5 : ((min ?? 0) + max) >> 1),
        ...(hasBounds ? [] : [200]),
      ].map((length) => Array.from({ length }, (_, index) => index));
    case "object":
      return [{ a: 1, b: [true] }, {}, wideObject];
  }
}

const unusualNumbers = [0, -1, 1e120, 1e-7, 9007199254740991, 0.1234567890123456, -98765.43210987654, 5e-120];

/** Finds the clause about a value, and the key of the definition that the value violates. */
function classifyValue(definition: FieldDefinition, value: unknown, isPlain: boolean): FieldValue {
  const [fault] = findSchemaFaults({ f: definition }, { f: value });
  const boundsClause = boundKeys[definition.type]?.clause ?? "REPO-20";
  if (fault === undefined) {
    const size = typeof value === "string" || Array.isArray(value) ? value.length : value;
    const bounds = getBounds(definition).filter((bound) => bound !== undefined);
    const isAtBound = bounds.length > 0 && (!isPlain || bounds.some((bound) => bound === size));
    return { clause: isAtBound && definition.pattern === undefined ? boundsClause : "REPO-20", value };
  }
  const { key } = fault;
  const because = `${JSON.stringify(value).slice(0, 80)} violates its ${key}, ${JSON.stringify(definition[key])}`;
  return {
    clause: key === "type" ? "REPO-10" : key === "pattern" ? "REPO-15" : boundsClause,
    value,
    because,
  };
}

/** Data to write to a repository, and the expected result. */
export interface EntityCase {
  readonly clause: ClauseId;
  readonly data: Readonly<Record<string, unknown>>;
  /** Why the data is refused; undefined if it is accepted. */
  readonly refused?: string;
  /** Whether the data lacks a required field, which an update may keep from the data before. */
  readonly isIncomplete?: true;
  /** The field that is omitted. */
  readonly omitted?: string;
}

/** Builds a schema from fields, with data that is valid in every way and data that has exactly one fault. */
export function buildEntityCases(fields: readonly Field[]): {
  readonly schema: RepositorySchema;
  readonly valid: Readonly<Record<string, unknown>>;
  readonly cases: readonly EntityCase[];
} {
  const schema = Object.fromEntries(fields.map(({ name, definition }) => [name, definition]));
  const valid = Object.fromEntries(fields.map(({ name, values }) => [name, values[0]?.value]));
  // If the only value of a field is on a bound, a refusal breaks the clause about the bound.
  const clauses = fields.flatMap(({ values }) => values[0]?.clause ?? []);
  const cases: EntityCase[] = [
    { clause: clauses.find((clause) => clause !== "REPO-20") ?? "REPO-20", data: valid },
  ];
  for (const { name, definition, values } of fields) {
    for (const { value, because, ...rest } of values)
      cases.push({
        ...rest,
        data: { ...valid, [name]: value },
        ...(because === undefined ? {} : { refused: `${name}: ${because}` }),
      });
    const without = Object.fromEntries(Object.entries(valid).filter(([other]) => other !== name));
    if (definition.required === true)
      cases.push({ clause: "REPO-11", data: without, refused: `${name} is required`, isIncomplete: true });
    else
      cases.push({
        clause: definition.default === undefined ? "REPO-12" : "REPO-13",
        data: without,
        omitted: name,
      });
  }
  return { schema, valid, cases };
}

/** How a field is nested: as the element type of an array, or as a field of an object. */
export type FieldWrapper = "items" | "properties";

const wrapperName = "outer";

/** Nests a field and its values inside arrays and objects; the last wrapper is the innermost. */
export function wrapField(field: Field, wrappers: readonly FieldWrapper[], position: number): Field {
  return wrappers.reduceRight((inner, wrapper) => wrapOnce(inner, wrapper, position % 3), field);
}

function wrapOnce({ name, definition, values }: Field, wrapper: FieldWrapper, position: number): Field {
  const isArray = wrapper === "items";
  const clause: ClauseId = isArray ? "REPO-17" : "REPO-19";
  const good = values[0]?.value;
  const wrap = (value: unknown) =>
    isArray ? [0, 1, 2].map((index) => (index === position ? value : good)) : { [name]: value, sibling: 1 };
  const wrapped = values
    // Null may belong to every type (gap `entity-null-fields`).
    .filter(({ value }) => !isArray || value !== null)
    .map((given): FieldValue => {
      // The clause of the innermost wrapper applies to all values of the field itself.
      const isOwn = name !== wrapperName || given.clause === "REPO-20";
      return { ...given, clause: isOwn ? clause : given.clause, value: wrap(given.value) };
    });
  // Elements cannot be omitted, so they are neither required nor have a default.
  const { required = false, default: defaultValue, ...element } = definition;
  if (isArray)
    return {
      name: wrapperName,
      definition: { type: "array", items: element },
      values: [
        ...wrapped,
        { clause, value: [] },
        { clause, value: { 0: good }, because: "it is not an array" },
      ],
    };
  return {
    name: wrapperName,
    definition: { type: "object", properties: { [name]: definition, sibling: { type: "number" } } },
    values: [
      ...wrapped,
      required
        ? { clause, value: { sibling: 1 }, because: `${name} is required`, isIncomplete: true }
        : { clause: defaultValue === undefined ? clause : "REPO-13", value: { sibling: 1 } },
      { clause, value: [good], because: "it is not an object" },
    ],
  };
}
