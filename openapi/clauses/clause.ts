/** A testable statement of the specification. A deployment that breaks it does not conform. */
export interface Clause {
  /** Part of the specification, with the number of the rule if there is one: `"4.2 rule 7"`. */
  readonly part: string;
  readonly statement: string;
}

type ClauseStatements = Readonly<Record<`${string}-${number}`, string>>;
type ClauseIdIn<Parts> = { [Part in keyof Parts]: keyof Parts[Part] }[keyof Parts];

/** Creates the clauses of an area, sorted by id, from the statements of each part of the specification. */
export function defineClauses<const Parts extends Readonly<Record<string, ClauseStatements>>>(
  parts: Parts,
): Readonly<Record<ClauseIdIn<Parts>, Clause>> {
  const all = Object.entries<ClauseStatements>(parts).flatMap(([part, statements]) =>
    Object.entries(statements).map(([id, statement]) => [id, { part, statement }] as const),
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1))) as Record<ClauseIdIn<Parts>, Clause>;
}
