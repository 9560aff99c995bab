import { randomBytes } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** What marks everything a run makes: begins with a letter, and no other run has it. */
export function newRunId(): string {
  return `cf${[...randomBytes(8)].map((byte) => letters[byte % letters.length]).join("")}`;
}
