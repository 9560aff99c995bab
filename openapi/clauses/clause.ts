/** One testable statement that the specification makes. A deployment that breaks it does not conform. */
export interface Clause {
  /** Part of the specification, with the rule's number where it has one: `"4.2 rule 7"`. */
  readonly part: string;
  readonly statement: string;
}

/** Keeps the literal ids of a group of clauses while checking their shape. */
export function defineClauses<const Group extends Readonly<Record<`${string}-${number}`, Clause>>>(
  group: Group,
): Group {
  return group;
}
