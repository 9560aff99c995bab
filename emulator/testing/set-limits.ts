import { onTestFinished } from "vitest";
import { emulatorLimits } from "../memory/limits.js";

/** Changes limits of the emulator until the end of the running test. */
export function setLimits(limits: Partial<Record<keyof typeof emulatorLimits, number>>): void {
  const before = { ...emulatorLimits };
  Object.assign(emulatorLimits, limits);
  onTestFinished(() => void Object.assign(emulatorLimits, before));
}
