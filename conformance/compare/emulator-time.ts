import type { Time } from "../client/time.js";
import type { Target } from "../target/target.js";

/** Time of an emulator that is not to show its control plane: whoever waits moves its clock. */
export function emulatorTime({ baseUrl, fetch }: Pick<Target, "baseUrl" | "fetch">): Time {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds) => {
      const whole = Math.max(1, Math.ceil(milliseconds));
      skipped += whole;
      await fetch(`${baseUrl}/_emulator/clock`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ advance: `PT${whole / 1000}S` }),
      });
    },
  };
}
