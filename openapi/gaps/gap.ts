/** An answer to a gap: a text or number from the closed list, a number in the range, or a list of texts. */
export type GapAnswer = string | number | readonly string[];

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
  /** Values above a bound may be accepted or rejected, depending on the answer: those of a field, or bytes of the body. */
  readonly limits?: { readonly of: "limit" | "body"; readonly above: number };
  /** Any list of strings that match the pattern (if any) is also an answer. */
  readonly list?: { readonly of: string; readonly pattern?: string };
  readonly default?: GapAnswer;
  /** Examples of the answers that `choices` does not list, for tests that try every answer. */
  readonly samples?: readonly GapAnswer[];
  /** A client cannot always observe the answer over HTTP. */
  readonly observable?: "partly";
  /** Further explanation for readers of the profile. */
  readonly note?: string;
}

/** Checks the type of a group of gaps and keeps its literal types. */
export function defineGaps<const Group extends Readonly<Record<string, Gap>>>(group: Group): Group {
  return group;
}

/** Paths that the emulator serves itself. */
const servedByEmulator = String.raw`/_emulator(?:/|$)|/ns/|/problems/|/openapi\.json$|/favicon\.ico$`;

/** Builds a regular expression, suitable for JSON Schema, for the routes that a gap accepts. */
export function buildRoutePattern({ methods, parameters, keys = false }: RouteRequirements): string {
  const names = keys ? [...parameters, "pk"] : parameters;
  const segment = `/(?:[A-Za-z0-9._~-]+${names.map((name) => `|\\{${name}\\}`).join("")})`;
  const present = parameters.map((name) => `(?=.*\\{${name}\\})`).join("");
  const once = names.map((name) => `(?!.*\\{${name}\\}.*\\{${name}\\})`).join("");
  const withoutKeys = keys ? `(?:(?!.*\\{pk\\})|(?=.*\\{pk\\}.*\\[/\\{sk\\}\\]$))` : "";
  const sortKey = keys ? "(?:(?<=\\{pk\\}.*)\\[/\\{sk\\}\\])?" : "";
  return `^(?:${methods.join("|")}) (?!${servedByEmulator})${present}${once}${withoutKeys}(?:${segment})+${sortKey}$`;
}
