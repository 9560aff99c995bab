import type { Need } from "../target/needs.js";
import type { Target } from "../target/target.js";

/** An emulator as a deployment would be: its users and keys are made as ever, and then nobody reaches its control plane. */
export function hiddenControl(target: Target): Target {
  return {
    ...target,
    missing: (need: Need) =>
      need === "control-plane" ? "the other side has no control plane" : target.missing(need),
    prepare: async (preparing) => {
      const { source, region, forObservers } = await target.prepare(preparing);
      return {
        source,
        ...(region === undefined ? {} : { region }),
        ...(forObservers === undefined ? {} : { forObservers }),
      };
    },
  };
}
