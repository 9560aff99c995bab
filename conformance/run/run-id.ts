import { randomBytes } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Generates the unique mark of everything that a run creates; only letters, which every name may contain. */
export function generateRunId(): string {
  return `cf${[...randomBytes(8)].map((byte) => letters[byte % letters.length]).join("")}`;
}
