/** Returns the number of runs of a slow property: the environment variable `PROPERTY_RUNS`, or the default. */
export function getPropertyRuns(defaultRuns: number): number {
  const given = Number(process.env.PROPERTY_RUNS ?? defaultRuns);
  if (!Number.isSafeInteger(given) || given < 1)
    throw new Error("PROPERTY_RUNS must be a whole number of at least 1");
  return given;
}
