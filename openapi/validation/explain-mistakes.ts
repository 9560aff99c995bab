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
 */
export function explainMistakes(
  value: unknown,
  first: Errors,
  findAll: () => Errors,
  place: "body" | "query",
): readonly Violation[] {
  const note = (detail: string): Violation => ({ in: place, pointer: "", detail });
  const { explainedValues } = emulatorDefinedLimits;
  if (collectValues(value, explainedValues).length <= explainedValues)
    return truncateMistakes(describeErrors(findAll(), place), note);
  const reason = `has more than ${explainedValues} values, so it was not checked for other mistakes`;
  return [...describeErrors(first, place), note(reason)];
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
