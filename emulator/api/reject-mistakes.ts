/** Returns the mistake in the value of an option, or undefined if it is valid. */
export type Rule = (value: unknown) => string | undefined;

/** @param requirement the name of the option and its valid values, as a sentence */
export const must =
  (requirement: string, isValid: (value: unknown) => boolean): Rule =>
  (value) =>
    isValid(value) ? undefined : `${requirement}, not ${describeValue(value)}`;

/** @throws Error with every mistake in the options of a function */
export function rejectMistakes(of: string, given: unknown, known: Readonly<Record<string, Rule>>): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Error(`the options of ${of} must be an object, not ${describeValue(given)}`);
  const mistakes = Object.entries(given).flatMap(([name, value]) => {
    if (!Object.hasOwn(known, name))
      return [`${of} has no option ${describeName(name)}; the options are ${Object.keys(known).join(", ")}`];
    const mistake = value === undefined ? undefined : known[name]?.(value);
    return mistake === undefined ? [] : [mistake];
  });
  if (mistakes.length > 0) throw new Error(mistakes.join("\n"));
}

export function describeName(value: unknown): string {
  return typeof value === "string" ? value : describeValue(value);
}

export function describeValue(value: unknown): string {
  if (typeof value === "string" || value instanceof URL) return JSON.stringify(value);
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
