import type { GapId } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Check } from "../check/check.js";
import { type Bounds, defaultBounds, type ObserveOptions } from "../target/observe-options.js";
import { addDependencies } from "./observation.js";
import type { Observer } from "./observer.js";
import { ObserverContext, UnlistedAnswer, UndecidedError } from "./observer-context.js";
import { observers } from "./register.js";

/**
 * Observers as checks that judge nothing: what they send is what counts. Each finds the answers of those before it.
 *
 * @param gaps those to be observed; with them go those whose answers they ask for
 * @param named what the target names for observers
 */
export function toObserverChecks(
  gaps: readonly GapId[],
  named: () => Promise<ObserveOptions>,
): readonly Check[] {
  const answers: Partial<Record<GapId, unknown>> = {};
  return addDependencies(gaps).map((gap) => {
    const observer: Observer = observers[gap];
    return {
      id: `gaps/${gap}` as Check["id"],
      title: gap,
      clauses: [],
      needs: observer.needs,
      run: async (context) => {
        const extras = await named();
        const bounds: Bounds = { ...defaultBounds, ...extras.bounds };
        const profile = answers as Partial<Profile>;
        try {
          answers[gap] = await observer.observe(new ObserverContext(context, bounds, profile, extras));
        } catch (error) {
          if (!(error instanceof UnlistedAnswer || error instanceof UndecidedError)) throw error;
        }
      },
    };
  });
}
