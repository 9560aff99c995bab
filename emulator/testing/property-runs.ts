/** How often a costly property is tried: `PROPERTY_RUNS` of the environment, or a number that suits every day. */
export function getPropertyRuns(defaultRuns: number): number {
  const given = Number(process.env.PROPERTY_RUNS ?? defaultRuns);
  if (!Number.isSafeInteger(given) || given < 1)
    throw new Error("PROPERTY_RUNS must be a whole number from 1 on");
  return given;
}
