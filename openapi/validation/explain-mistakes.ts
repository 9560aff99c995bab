import type { ErrorObject } from "ajv";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { describeSchemaError } from "./schema-errors.js";
import { truncateMistakes } from "./truncate-mistakes.js";
import type { Violation } from "./violation.js";

/**
 * Describes why a schema refused a value. Finding everything costs Ajv the number of mistakes times the number of
 * references to them, so only values of ordinary size are checked for everything. For a larger value the first mistake
 * is described, for which the work grows no faster than the value.
 *
 * @param first the errors of a validator that stopped at the first mistake
 * @param findAll runs a validator of the same schema that finds all of them
 * @param maxRequired how many fields an object of the value may lack at most, where a user wrote the schema
 */
export function explainMistakes(
  value: unknown,
  first: Errors,
  findAll: () => Errors,
  place: "body" | "query",
  maxRequired = 0,
): readonly Violation[] {
  const note = (detail: string): Violation => ({ in: place, pointer: "", detail });
  const excess = describeExcess(value, maxRequired);
  if (excess === undefined) return truncateMistakes(describeErrors(findAll(), place), note);
  return [...describeErrors(first, place), note(`${excess}, so it was not checked for other mistakes`)];
}

/** Says why not all mistakes of a value are looked for, if so. */
function describeExcess(value: unknown, maxRequired: number): string | undefined {
  const { explainedValues, explainedRequiredFields } = emulatorDefinedLimits;
  const found = collectValues(value, explainedValues);
  if (found.length > explainedValues) return `has more than ${explainedValues} values`;
  const objects = found.filter(
    (one) => typeof one === "object" && one !== null && !Array.isArray(one),
  ).length;
  if (objects * maxRequired <= explainedRequiredFields) return undefined;
  return `has ${objects} objects, each with up to ${maxRequired} required fields`;
}

/** What Ajv calls a validator's errors, or a list of them. */
type Errors = readonly ErrorObject[] | null | undefined;

function describeErrors(errors: Errors, place: "body" | "query"): Violation[] {
  return (errors ?? []).flatMap((error) => describeSchemaError(error, place));
}

/** Collects a value and the values inside it, until there are more than so many. */
function collectValues(value: unknown, max: number): readonly unknown[] {
  const found: unknown[] = [value];
  for (let at = 0; at < found.length && found.length <= max; at += 1) {
    const next = found[at];
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) for (const inside of next.slice(0, max)) found.push(inside);
    else for (const name in next) found.push((next as Readonly<Record<string, unknown>>)[name]);
  }
  return found;
}
