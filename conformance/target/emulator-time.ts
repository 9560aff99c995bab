import { machineTime, type Time } from "../client/time.js";
import type { Target } from "./target.js";

/** Time of an emulator: whoever waits moves its clock, which stands still by itself. */
export function emulatorTime({ baseUrl, fetch }: Pick<Target, "baseUrl" | "fetch">): Time {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds) => {
      const whole = Math.max(1, Math.ceil(milliseconds));
      const isMoved = await fetch(`${baseUrl}/_emulator/clock`, {
        method: "PATCH",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ advance: `PT${whole / 1000}S` }),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isMoved) skipped += whole;
      // what does not answer for a while is waited for like any other deployment
      else await machineTime.sleep(milliseconds);
    },
  };
}
