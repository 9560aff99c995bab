import { getTestAnswers, getDefaultAnswer, gapIds } from "../../openapi/gaps/register.js";
import { areasOf } from "./areas-of-gaps.js";
import type { Variant } from "./mutant.js";

/** For every answer to every gap but the default one a variant in each area that it concerns. */
export const gapVariants: readonly Variant[] = gapIds.flatMap((id) =>
  getTestAnswers(id)
    .filter((answer) => JSON.stringify(answer) !== JSON.stringify(getDefaultAnswer(id)))
    .flatMap((answer) =>
      areasOf(id).map((area): Variant => ({
        id: `${area}/${id} ${String(answer)}`,
        profile: { [id]: answer },
      })),
    ),
);
