import { accessGaps } from "./access.js";
import { batchGaps } from "./batches.js";
import { billingGaps } from "./billing.js";
import { databaseGaps } from "./databases.js";
import type { Gap, GapAnswer } from "./gap.js";
import { httpGaps } from "./http.js";
import { itemGaps } from "./items.js";
import { organizationGaps } from "./organizations.js";
import { repositoryGaps } from "./repositories.js";
import { sqlGaps } from "./sql.js";

/** All gaps, by id. */
export const gaps = {
  ...httpGaps,
  ...accessGaps,
  ...databaseGaps,
  ...itemGaps,
  ...sqlGaps,
  ...batchGaps,
  ...repositoryGaps,
  ...organizationGaps,
  ...billingGaps,
} as const;

export type GapId = keyof typeof gaps;

/** The gaps by area, in reading order. */
const gapsByArea: readonly (readonly [area: string, gaps: object])[] = [
  ["HTTP", httpGaps],
  ["Access", accessGaps],
  ["Databases", databaseGaps],
  ["Items", itemGaps],
  ["SQL", sqlGaps],
  ["Batches and transactions", batchGaps],
  ["Repositories", repositoryGaps],
  ["Organizations", organizationGaps],
  ["Billing", billingGaps],
];

/**
 * Groups the answers of a profile that differ from the default by area. Areas without such answers are omitted.
 *
 * @param answers answers by gap; unknown names are ignored
 */
export function groupNonDefaultAnswersByArea(
  answers: Readonly<Record<string, unknown>>,
): readonly { readonly area: string; readonly answers: readonly (readonly [GapId, unknown])[] }[] {
  return gapsByArea
    .map(([area, group]) => ({
      area,
      answers: (Object.keys(group) as GapId[])
        .filter((id) => id in answers && JSON.stringify(answers[id]) !== JSON.stringify(getDefaultAnswer(id)))
        .map((id) => [id, answers[id]] as const),
    }))
    .filter((area) => area.answers.length > 0);
}

/** The type of the answers to a gap. */
export type AnswerTo<Id extends GapId> =
  | (typeof gaps)[Id]["choices"][number]
  | ((typeof gaps)[Id] extends { route: object } | { name: object } ? string : never)
  | ((typeof gaps)[Id] extends { range: object } | { anyRefusal: true } ? number : never);

/** All gap ids, in the order of the register. */
export const gapIds = Object.keys(gaps) as GapId[];

/** Returns a gap with its literal types widened, for code that handles all gaps in the same way. */
export function getGap(id: GapId): Gap {
  return gaps[id];
}

/** Returns the answer of the default profile. */
export function getDefaultAnswer(id: GapId): GapAnswer {
  const gap = getGap(id);
  const answer = gap.default ?? gap.choices[0];
  if (answer === undefined) throw new Error(`gap ${id} has no default answer`);
  return answer;
}

/** Returns the answers to a gap that tests try: all choices and samples, or 418 as a sample for any refusal. */
export function getSampleAnswers<Id extends GapId>(id: Id): readonly AnswerTo<Id>[] {
  const { choices, anyRefusal, samples = anyRefusal ? [418] : [] } = getGap(id);
  return [...choices, ...samples] as AnswerTo<Id>[];
}
