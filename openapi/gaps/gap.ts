/** An answer to a gap: a word or a number of the closed list, a number of the range, or a list of words. */
export type GapAnswer = string | number | readonly string[];

/** A route that a profile may name: `<METHOD> <path template>`. */
export interface RoutePatternOptions {
  readonly methods: readonly string[];
  /** Path parameters that the template has to have, in any place. */
  readonly parameters: readonly string[];
  /** Whether it may have `{pk}` too, with `[/{sk}]` at its end. */
  readonly keys?: boolean;
}

/**
 * One question that the specification leaves open, with the answers this project knows.
 * The first of `choices` is the default answer unless `default` names another.
 */
export interface Gap {
  /** Which part of the specification is silent, for example `"4.2"`. */
  readonly part: string;
  readonly question: string;
  readonly choices: readonly (string | number)[];
  /** Any status from 400 to 499 is an answer as well: how a refusal is numbered is nobody's to list. */
  readonly anyRefusal?: true;
  /** Any route is an answer as well, written as `<METHOD> <path template>`. */
  readonly route?: RoutePatternOptions;
  /** Any name of this form is an answer as well. */
  readonly name?: { readonly of: string; readonly pattern: string };
  /** Any whole number between the bounds is an answer as well. */
  readonly range?: { readonly minimum: number; readonly maximum: number; readonly unit: string };
  /** Any list of strings is an answer as well; each has to fit the pattern, where there is one. */
  readonly list?: { readonly of: string; readonly pattern?: string };
  readonly default?: GapAnswer;
  /** Answers taken from what is open, for tests that try every answer. */
  readonly samples?: readonly GapAnswer[];
  /** A client cannot always see the answer over HTTP. */
  readonly observable?: "partly";
  /** What a reader of the profile needs to know beyond the question. */
  readonly note?: string;
}

/** Keeps the literal types of a group of gaps while checking their shape. */
export function defineGaps<const Group extends Readonly<Record<string, Gap>>>(group: Group): Group {
  return group;
}

/** The form of the answers that a gap takes beside its choices, as a regular expression for JSON Schema too. */
export function buildRoutePattern({ methods, parameters, keys = false }: RoutePatternOptions): string {
  const names = keys ? [...parameters, "pk"] : parameters;
  const segment = `/(?:[A-Za-z0-9._~-]+${names.map((name) => `|\\{${name}\\}`).join("")})`;
  const present = parameters.map((name) => `(?=.*\\{${name}\\})`).join("");
  const once = names.map((name) => `(?!.*\\{${name}\\}.*\\{${name}\\})`).join("");
  const withoutKeys = keys ? `(?:(?!.*\\{pk\\})|(?=.*\\{pk\\}.*\\[/\\{sk\\}\\]$))` : "";
  const sortKey = keys ? "(?:(?<=\\{pk\\}.*)\\[/\\{sk\\}\\])?" : "";
  return `^(?:${methods.join("|")}) (?!/_emulator/|/ns/)${present}${once}${withoutKeys}(?:${segment})+${sortKey}$`;
}
