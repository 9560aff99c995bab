/**
 * What only the owner of a deployment can bring about, and some answers can be seen in alone. A target file names users
 * who own organizations that are so.
 */
export const situations = {
  suspended: "Owner of an organization that is suspended.",
  restricted: "Owner of an organization with `settings.allowedRegions`.",
  trialing: "Owner of an organization on the plan pro whose subscription is trialing.",
  pastDue: "Owner of an organization whose subscription is past_due.",
  crowded: "Owner of an organization that has room for another member only where pending ones do not count.",
  full: "Owner of an organization of the free plan with a database, which has used up its storage but for less than 8 MB.",
  exhausted: "Owner of an organization that has used up the requests of the month, with a database.",
  disposable: "Owner of an organization, who may lose both it and the personal one.",
} as const;

export type Situation = keyof typeof situations;

export const situationNames = Object.keys(situations) as readonly Situation[];

/** Whether the text names a situation. */
export function isSituation(name: string): name is Situation {
  return name in situations;
}
