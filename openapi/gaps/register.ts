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

/** The register of gaps: every question that the specification leaves open, by id. */
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
 * The answers of a profile that are not the default ones, by area; areas without one are left out.
 *
 * @param answers answers by gap; those of other names are not looked at
 */
export function groupDifferencesByArea(
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

/** The type of the answers to one gap. */
export type AnswerTo<Id extends GapId> =
  | (typeof gaps)[Id]["choices"][number]
  | ((typeof gaps)[Id] extends { route: object } | { name: object } ? string : never)
  | ((typeof gaps)[Id] extends { range: object } | { anyRefusal: true } ? number : never)
  | ((typeof gaps)[Id] extends { list: object } ? string[] : never);

/** All gap ids, in the order of the register. */
export const gapIds = Object.keys(gaps) as GapId[];

/** The gap with its literal types widened, for code that treats all gaps alike. */
export function getGap(id: GapId): Gap {
  return gaps[id];
}

/** The answer that the default profile gives. */
export function getDefaultAnswer(id: GapId): GapAnswer {
  const gap = getGap(id);
  const answer = gap.default ?? gap.choices[0];
  if (answer === undefined) throw new Error(`gap ${id} has no default answer`);
  return answer;
}

/** Every choice and every sample of a gap, where any refusal is an answer 418: what a test that tries all answers runs through. */
export function getTestAnswers<Id extends GapId>(id: Id): readonly AnswerTo<Id>[] {
  const { choices, anyRefusal, samples = anyRefusal ? [418] : [] } = getGap(id);
  return [...choices, ...samples] as AnswerTo<Id>[];
}
