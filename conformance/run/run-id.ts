import { randomBytes } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** What marks everything a run makes: letters alone, which every name may have, and no other run has it. */
export function generateRunId(): string {
  return `cf${[...randomBytes(8)].map((byte) => letters[byte % letters.length]).join("")}`;
}
