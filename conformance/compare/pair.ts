/** The indexes of the two targets of a comparison. */
export const sides = [0, 1] as const;
export type Side = (typeof sides)[number];

/** What belongs to the first and to the second target. */
export type Pair<Value> = readonly [Value, Value];
