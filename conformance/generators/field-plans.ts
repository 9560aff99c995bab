import fc from "fast-check";
import type { ClauseId } from "../../openapi/clauses/register.js";
import type { FieldDefinition, RepositorySchema } from "../models/repository-schema.js";

/** What a field of a repository schema is made from. Plain data, so that examples shrink like generated plans. */
export interface FieldPlan {
  readonly name: string;
  readonly type: FieldDefinition["type"];
  /** The lower bound, and how far the upper one lies above it. */
  readonly low: number;
  readonly span: number;
  readonly bounds: "none" | "low" | "high" | "both";
  /** Which pattern a string has; 0 for none. */
  readonly pattern: number;
  readonly presence: "optional" | "required" | "default";
}

/** A value for a field that its definition allows. */
export interface Fit {
  /** The clause that is broken when the value is refused. */
  readonly clause: ClauseId;
  readonly value: unknown;
}

/** A value for a field that its definition forbids for exactly one reason. */
export interface Break {
  readonly clause: ClauseId;
  readonly key: keyof FieldDefinition;
  readonly value: unknown;
  readonly because: string;
}

export interface Field {
  readonly name: string;
  readonly definition: FieldDefinition;
  /** At least one; the first is the field's plain value. */
  readonly fits: readonly Fit[];
  readonly breaks: readonly Break[];
}

/** Names that need nothing special, and names that careless code stumbles over: the latter may be refused. */
const names = [
  "title",
  "a",
  "Title",
  "created_at",
  "toString",
  "hasOwnProperty",
  "length",
  "größe",
  "with space",
  "0",
] as const;

export const fieldPlan: fc.Arbitrary<FieldPlan> = fc.record({
  name: fc.constantFrom<string>(...names),
  type: fc.constantFrom<FieldDefinition["type"]>("string", "number", "boolean", "array", "object"),
  low: fc.nat(4),
  span: fc.nat(3),
  bounds: fc.constantFrom<FieldPlan["bounds"]>("none", "low", "high", "both"),
  pattern: fc.nat(3),
  presence: fc.constantFrom<FieldPlan["presence"]>("optional", "required", "default"),
});

/** Fields with names of their own, whatever their case. */
export const fieldPlans = fc.uniqueArray(fieldPlan, {
  minLength: 1,
  maxLength: 4,
  selector: ({ name }) => name.toLowerCase(),
});

/** Whether all fields have names that everybody takes. What names fields may have is not said: others may be refused. */
export function hasPlainNames(schema: RepositorySchema): boolean {
  return Object.entries(schema).every(
    ([name, { properties = {}, items }]) =>
      /^[A-Za-z][A-Za-z0-9]*$/.test(name) &&
      !(name in Object.prototype) &&
      name !== "length" &&
      hasPlainNames(properties) &&
      (items === undefined || hasPlainNames({ items })),
  );
}

const plain: FieldPlan = {
  name: "f",
  type: "string",
  low: 0,
  span: 0,
  bounds: "none",
  pattern: 0,
  presence: "optional",
};

/** A string that has to be there. */
export const requiredText: FieldPlan = { ...plain, presence: "required" };

/** A string of two to four characters. */
export const boundedText: FieldPlan = { ...plain, bounds: "both", low: 2, span: 2 };

/** One field of every type with every bound and presence, zero bounds among them: what no run leaves out. */
export const examplePlans: readonly FieldPlan[] = [
  requiredText,
  { ...plain, type: "number", presence: "required" },
  { ...plain, type: "boolean", presence: "required" },
  { ...plain, type: "array", presence: "required" },
  { ...plain, type: "object", presence: "required" },
  boundedText,
  { ...plain, type: "string", bounds: "high", low: 0, span: 0 },
  { ...plain, type: "string", bounds: "low", low: 1 },
  { ...plain, type: "string", bounds: "both", low: 2, span: 2, pattern: 1 },
  { ...plain, type: "string", pattern: 2 },
  { ...plain, type: "number", bounds: "low", low: 2 },
  { ...plain, type: "number", bounds: "high", low: 0, span: 2 },
  { ...plain, type: "number", bounds: "both", low: 0, span: 3 },
  { ...plain, type: "array", bounds: "both", low: 1, span: 1 },
  { ...plain, type: "array", bounds: "high", low: 0, span: 0 },
  { ...plain, type: "boolean", presence: "default" },
  { ...plain, type: "number", bounds: "low", low: 2, presence: "default" },
  { ...plain, type: "string", presence: "default", low: 1 },
];

/** More members than fit into anything small. */
const wideObject = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}`, n]));

/** Values of each type, to be tried where another type is wanted. */
const samples: Readonly<Record<FieldDefinition["type"], readonly unknown[]>> = {
  string: ["5", "true", ""],
  number: [5, 0],
  boolean: [true, false],
  array: [[], ["5"]],
  object: [{}, { length: 2, "0": "5" }],
};

interface Pattern {
  readonly pattern: string;
  /** A text of so many characters, at least one, that matches. */
  readonly good: (length: number) => string;
  readonly bad: (length: number) => readonly string[];
}

/**
 * Patterns that mean the same in every dialect of regular expressions: anchored, without character classes that
 * differ, and without line breaks in the values.
 */
const patterns: readonly [Pattern, ...Pattern[]] = [
  {
    pattern: "^[a-z]+$",
    good: (length) => "abcdefgh".repeat(length).slice(0, length),
    bad: (length) => [
      `${"a".repeat(length - 1)}Z`,
      `7${"a".repeat(length - 1)}`,
      `${"a".repeat(length - 1)}é`,
    ],
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
];

/** Characters that are as long as they are many, whatever lengths count. */
const characters = "aBc";

function textOf(length: number): string {
  return characters.repeat(length).slice(0, length);
}

/** Makes a field with values that fit and values that do not. */
export function fieldOf(plan: FieldPlan): Field {
  const { name, type, presence } = plan;
  const hasLow = plan.bounds === "low" || plan.bounds === "both";
  const hasHigh = plan.bounds === "high" || plan.bounds === "both";
  const { definition, fits, breaks } = bodyOf(plan, hasLow, hasHigh);
  const wrong = (Object.keys(samples) as FieldDefinition["type"][])
    .filter((other) => other !== type)
    .flatMap((other) => samples[other])
    .concat(presence === "required" ? [null] : []);
  const value = fits[plan.low % fits.length]?.value;
  return {
    name,
    definition: {
      ...definition,
      ...(presence === "required" ? { required: true } : {}),
      ...(presence === "default" ? { default: value } : {}),
      ...(presence === "optional" && plan.span > 1 ? { required: false } : {}),
    },
    fits,
    breaks: [
      ...wrong.map((given): Break => ({
        clause: "REPO-10",
        key: "type",
        value: given,
        because: `${JSON.stringify(given)} is no ${type}`,
      })),
      ...breaks,
    ],
  };
}

function bodyOf(
  plan: FieldPlan,
  hasLow: boolean,
  hasHigh: boolean,
): Pick<Field, "definition" | "fits" | "breaks"> {
  const { low, span } = plan;
  switch (plan.type) {
    case "string":
      return plan.pattern === 0
        ? stringField(hasLow ? low : 0, hasHigh ? low + span : undefined, hasLow)
        : patternField(plan.pattern - 1, hasLow, hasHigh, Math.max(1, low), span);
    case "number":
      return numberField(hasLow ? low - 2 : undefined, hasHigh ? low - 2 + span : undefined);
    case "boolean":
      return {
        definition: { type: "boolean" },
        fits: [false, true].map((value) => ({ clause: "REPO-20", value })),
        breaks: [],
      };
    case "array":
      return arrayField(hasLow ? low : 0, hasHigh ? low + span : undefined, hasLow);
    case "object":
      return {
        definition: { type: "object" },
        fits: [{ a: 1, b: [true] }, {}, wideObject].map((value) => ({ clause: "REPO-20", value })),
        breaks: [],
      };
  }
}

function stringField(minLength: number, maxLength: number | undefined, hasLow: boolean) {
  const middle = maxLength === undefined ? minLength + 1 : (minLength + maxLength) >> 1;
  const isBound = (hasLow && middle === minLength) || middle === maxLength;
  const fits: Fit[] = [{ clause: isBound ? "REPO-14" : "REPO-20", value: "p".repeat(middle) }];
  const breaks: Break[] = [];
  const fault = (key: keyof FieldDefinition, value: string, because: string) =>
    breaks.push({ clause: "REPO-14", key, value, because });
  if (hasLow) {
    fits.push({ clause: "REPO-14", value: textOf(minLength) });
    if (minLength > 0)
      fault("minLength", textOf(minLength - 1), `it has ${minLength - 1} of ${minLength} characters`);
  } else if (maxLength === undefined)
    fits.push(
      { clause: "REPO-20", value: "" },
      { clause: "REPO-20", value: '🙂é"\\\n' },
      { clause: "REPO-20", value: "long ".repeat(500) },
    );
  if (maxLength !== undefined) {
    fits.push({ clause: "REPO-14", value: textOf(maxLength) });
    fault("maxLength", textOf(maxLength + 1), `it has ${maxLength + 1} characters, ${maxLength} are allowed`);
    fault(
      "maxLength",
      "🙂".repeat(maxLength + 1),
      `it has more than ${maxLength} characters, however they are counted`,
    );
  }
  return {
    definition: {
      type: "string" as const,
      ...(hasLow ? { minLength } : {}),
      ...(maxLength === undefined ? {} : { maxLength }),
    },
    fits,
    breaks,
  };
}

function patternField(which: number, hasLow: boolean, hasHigh: boolean, low: number, span: number) {
  const { pattern, good, bad } = patterns[which % patterns.length] ?? patterns[0];
  const longest = hasHigh ? low + span : low + 2;
  const breaks: Break[] = bad(longest).map((value) => ({
    clause: "REPO-15",
    key: "pattern",
    value,
    because: `${JSON.stringify(value)} does not match ${pattern}`,
  }));
  if (hasLow && low > 1)
    breaks.push({
      clause: "REPO-14",
      key: "minLength",
      value: good(low - 1),
      because: "it is too short by one",
    });
  if (hasHigh)
    breaks.push({
      clause: "REPO-14",
      key: "maxLength",
      value: good(longest + 1),
      because: "it is too long by one",
    });
  return {
    definition: {
      type: "string" as const,
      pattern,
      ...(hasLow ? { minLength: low } : {}),
      ...(hasHigh ? { maxLength: longest } : {}),
    },
    fits: [good(longest), good(low)].map((value): Fit => ({ clause: "REPO-20", value })),
    breaks,
  };
}

function numberField(min: number | undefined, max: number | undefined) {
  const middle = min === undefined ? (max ?? 4.25) - 1 : max === undefined ? min + 1 : (min + max) / 2;
  const isBound = middle === min || middle === max;
  const fits: Fit[] = [{ clause: isBound ? "REPO-16" : "REPO-20", value: middle }];
  const breaks: Break[] = [];
  if (min === undefined && max === undefined)
    for (const value of [
      0, -1, 1e120, 1e-7, 9007199254740991, 0.1234567890123456, -98765.43210987654, 5e-120,
    ])
      fits.push({ clause: "REPO-20", value });
  const bounds = [
    ["min", min, -1],
    ["max", max, 1],
  ] as const;
  for (const [key, bound, direction] of bounds) {
    if (bound === undefined) continue;
    fits.push({ clause: "REPO-16", value: bound });
    const other = key === "min" ? max : min;
    if (other !== bound) fits.push({ clause: "REPO-16", value: bound - direction * 0.25 });
    for (const step of [0.125, 1, 1e6])
      breaks.push({
        clause: "REPO-16",
        key,
        value: bound + direction * step,
        because: `${bound + direction * step} is beyond ${key} ${bound}`,
      });
  }
  return {
    definition: {
      type: "number" as const,
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
    },
    fits,
    breaks,
  };
}

function arrayField(minItems: number, maxItems: number | undefined, hasLow: boolean) {
  const elements = (length: number): readonly unknown[] =>
    Array.from({ length }, (_, index) => [1, "a", true, { b: [] }, {}][index % 5]);
  const middle = maxItems === undefined ? minItems + 5 : (minItems + maxItems) >> 1;
  const isBound = (hasLow && middle === minItems) || middle === maxItems;
  const fits: Fit[] = [{ clause: isBound ? "REPO-18" : "REPO-20", value: elements(middle) }];
  const breaks: Break[] = [];
  if (hasLow) {
    fits.push({ clause: "REPO-18", value: elements(minItems) });
    if (minItems > 0)
      breaks.push({
        clause: "REPO-18",
        key: "minItems",
        value: elements(minItems - 1),
        because: `it has ${minItems - 1} of ${minItems} elements`,
      });
  } else if (maxItems === undefined)
    fits.push({ clause: "REPO-20", value: [] }, { clause: "REPO-20", value: elements(200) });
  if (maxItems !== undefined) {
    fits.push({ clause: "REPO-18", value: elements(maxItems) });
    breaks.push({
      clause: "REPO-18",
      key: "maxItems",
      value: elements(maxItems + 1),
      because: `it has ${maxItems + 1} elements, ${maxItems} are allowed`,
    });
  }
  return {
    definition: {
      type: "array" as const,
      ...(hasLow ? { minItems } : {}),
      ...(maxItems === undefined ? {} : { maxItems }),
    },
    fits,
    breaks,
  };
}

/** Data to be written to a repository, and what has to come of it. */
export interface Case {
  readonly clause: ClauseId;
  readonly data: Readonly<Record<string, unknown>>;
  /** Why the data are refused; nothing when they are accepted. */
  readonly refused?: string;
  /** The field whose presence is at stake; its absence may be answered with null where it has no default. */
  readonly leftOut?: string;
}

/** The schema of some fields, data that fit it in every way, and data that break it in exactly one. */
export function casesOf(fields: readonly Field[]): {
  readonly schema: RepositorySchema;
  readonly valid: Readonly<Record<string, unknown>>;
  readonly cases: readonly Case[];
} {
  const schema = Object.fromEntries(fields.map(({ name, definition }) => [name, definition]));
  const valid = Object.fromEntries(fields.map(({ name, fits }) => [name, fits[0]?.value]));
  // where the only value there is stands on a bound, it is the bound that refuses it
  const clauses = fields.flatMap(({ fits }) => fits[0]?.clause ?? []);
  const cases: Case[] = [
    { clause: clauses.find((clause) => clause !== "REPO-20") ?? "REPO-20", data: valid },
  ];
  for (const { name, definition, fits, breaks } of fields) {
    for (const { clause, value } of fits) cases.push({ clause, data: { ...valid, [name]: value } });
    for (const { clause, value, because } of breaks)
      cases.push({ clause, data: { ...valid, [name]: value }, refused: `${name}: ${because}` });
    const without = Object.fromEntries(Object.entries(valid).filter(([other]) => other !== name));
    if (definition.required === true)
      cases.push({ clause: "REPO-11", data: without, refused: `${name} is required` });
    else
      cases.push({
        clause: definition.default === undefined ? "REPO-12" : "REPO-13",
        data: without,
        leftOut: name,
      });
  }
  return { schema, valid, cases };
}

/** How a field is put inside others: in an array whose elements it defines, or as a member of an object. */
export type Wrapper = "items" | "properties";

const wrapperName = "outer";

/** A field with the same values, inside arrays and objects; the last wrapper is the innermost one. */
export function wrapped(field: Field, wrappers: readonly Wrapper[], position: number): Field {
  const [inner, ...outer] = wrappers.toReversed();
  if (inner === undefined) return field;
  const clause: ClauseId = inner === "items" ? "REPO-17" : "REPO-19";
  const good = field.fits[0]?.value;
  const around = (value: unknown): unknown =>
    inner === "properties"
      ? { [field.name]: value, beside: 1 }
      : Array.from({ length: 3 }, (_, index) => (index === position % 3 ? value : good));
  // the innermost wrapper is to blame
  const isInner = field.name !== wrapperName;
  const fits = field.fits.map((given): Fit => ({
    clause: isInner || given.clause === "REPO-20" ? clause : given.clause,
    value: around(given.value),
  }));
  const breaks = field.breaks
    // no element is required, and null may be of every type (gap `entity-null-fields`)
    .filter((given) => inner === "properties" || given.value !== null)
    .map((given): Break => ({
      ...given,
      clause: isInner ? clause : given.clause,
      value: around(given.value),
    }));
  if (inner === "items") fits.push({ clause, value: [] });
  else if (field.definition.required === true)
    breaks.push({ clause, key: "required", value: { beside: 1 }, because: `${field.name} is required` });
  else
    fits.push({
      clause: field.definition.default === undefined ? clause : "REPO-13",
      value: { beside: 1 },
    });
  // in an array nothing can be left out
  const element = Object.fromEntries(
    Object.entries(field.definition).filter(([key]) => key !== "required" && key !== "default"),
  ) as unknown as FieldDefinition;
  return wrapped(
    {
      name: wrapperName,
      definition:
        inner === "items"
          ? { type: "array", items: element }
          : { type: "object", properties: { [field.name]: field.definition, beside: { type: "number" } } },
      fits,
      breaks: [
        ...breaks,
        {
          clause,
          key: "type",
          value: inner === "items" ? { 0: good } : [good],
          because: `it is no ${inner === "items" ? "array" : "object"}`,
        },
      ],
    },
    outer.toReversed(),
    position,
  );
}
