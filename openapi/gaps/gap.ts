import type { SchemaObject } from "openapi3-ts/oas31";

/** An answer to a gap: a text or number from the closed list, or a number in the range. */
export type GapAnswer = string | number;

/** The requirements for a route that a profile gives as `<METHOD> <path template>`. */
export interface RouteRequirements {
  readonly methods: readonly string[];
  /** Path parameters that the template must contain, in any position. */
  readonly parameters: readonly string[];
  /** Whether the template may also contain `{pk}` and end with `[/{sk}]`. */
  readonly keys?: boolean;
}

/**
 * A question that the specification leaves open, with the answers that this project supports. The first of `choices` is
 * the default answer, unless `default` is set.
 */
export interface Gap {
  /** The part of the specification that leaves the question open, such as `"4.2"`. */
  readonly part: string;
  readonly question: string;
  readonly choices: readonly (string | number)[];
  /** Any status from 400 to 499 is also an answer. */
  readonly anyRefusal?: true;
  /** Any matching route, written as `<METHOD> <path template>`, is also an answer. */
  readonly route?: RouteRequirements;
  /** Any name that matches the pattern is also an answer. */
  readonly name?: { readonly of: string; readonly pattern: string };
  /** Any whole number between the bounds is also an answer. */
  readonly range?: { readonly minimum: number; readonly maximum: number; readonly unit: string };
  readonly default?: GapAnswer;
  /** Examples of the answers that `choices` does not list, for tests that try every answer. */
  readonly samples?: readonly GapAnswer[];
  /** Further explanation for readers of the profile. */
  readonly note?: string;
}

/** Checks the type of a group of gaps and keeps its literal types. */
export function defineGaps<const Group extends Readonly<Record<string, Gap>>>(group: Group): Group {
  return group;
}

/** A form of the answers that `choices` does not list: its JSON Schema, and a description for messages. */
interface AnswerForm {
  readonly schema: SchemaObject;
  readonly description: string;
}

/** Lists the forms of answers that a gap accepts in addition to its `choices`. */
export function listAnswerForms({ route, name, anyRefusal, range }: Gap): readonly AnswerForm[] {
  const textOf = (pattern: string): SchemaObject => ({ type: "string", pattern });
  const forms: readonly (AnswerForm | undefined)[] = [
    route && { schema: textOf(buildRoutePattern(route)), description: describeRoute(route) },
    name && { schema: textOf(name.pattern), description: `any other valid ${name.of} name` },
    anyRefusal && {
      schema: { type: "integer", minimum: 400, maximum: 499 },
      description: "any other status from 400 to 499",
    },
    range && {
      schema: { type: "integer", minimum: range.minimum, maximum: range.maximum },
      description: `a whole number of ${range.unit} from ${range.minimum} to ${range.maximum}`,
    },
  ];
  return forms.filter((form) => form !== undefined);
}

function describeRoute({ methods, parameters, keys = false }: RouteRequirements): string {
  const needed = parameters.map((name) => `{${name}}`).join(" and ");
  return (
    `"<METHOD> <path>" with ${methods.join(" or ")}` +
    (needed === "" ? "" : ` and ${needed} in the path`) +
    (keys ? ", which may contain {pk} and end with [/{sk}]" : "")
  );
}

/** Paths that the emulator serves itself. */
const servedByEmulator = String.raw`/_emulator(?:/|$)|/ns/|/problems/|/openapi\.json$|/favicon\.ico$`;

/** Builds a regular expression, suitable for JSON Schema, for the routes that a gap accepts. */
function buildRoutePattern({ methods, parameters, keys = false }: RouteRequirements): string {
  const names = keys ? [...parameters, "pk"] : parameters;
  const segment = `/(?:[A-Za-z0-9._~-]+${names.map((name) => `|\\{${name}\\}`).join("")})`;
  const present = parameters.map((name) => `(?=.*\\{${name}\\})`).join("");
  const once = names.map((name) => `(?!.*\\{${name}\\}.*\\{${name}\\})`).join("");
  const withoutKeys = keys ? `(?:(?!.*\\{pk\\})|(?=.*\\{pk\\}.*\\[/\\{sk\\}\\]$))` : "";
  const sortKey = keys ? "(?:(?<=\\{pk\\}.*)\\[/\\{sk\\}\\])?" : "";
  return `^(?:${methods.join("|")}) (?!${servedByEmulator})${present}${once}${withoutKeys}(?:${segment})+${sortKey}$`;
}
