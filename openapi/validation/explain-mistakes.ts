import type { ErrorObject } from "ajv";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { describeSchemaError } from "./schema-errors.js";
import { truncateMistakes } from "./truncate-mistakes.js";
import type { Violation } from "./violation.js";

/**
 * Describes why a schema rejected a value. Large values are checked only for the first mistake, because finding all
 * mistakes takes Ajv time proportional to the number of mistakes times the number of references to them.
 *
 * @param first the errors of a validator that stopped at the first mistake
 * @param findAll runs a validator of the same schema that finds all mistakes
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

type Errors = readonly ErrorObject[] | null | undefined;

function describeErrors(errors: Errors, place: "body" | "query"): Violation[] {
  return (errors ?? []).flatMap((error) => describeSchemaError(error, place));
}

/** Collects a value and the values inside it; stops when there are more than `max`. */
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
