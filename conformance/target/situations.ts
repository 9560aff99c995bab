/**
 * States of an organization that only the operator of a deployment can create, and that some observations need. For
 * each state, a target file can name the owner of an organization in that state.
 */
export const situations = {
  suspended: "Owner of a suspended organization.",
} as const;

export type Situation = keyof typeof situations;

export const situationNames = Object.keys(situations) as readonly Situation[];

/** Whether the text names a situation. */
export function isSituation(name: string): name is Situation {
  return name in situations;
}
