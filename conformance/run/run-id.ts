import { randomBytes } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Generates the unique id that is part of every name that a run creates; it contains only letters, which every name allows. */
export function generateRunId(): string {
  return `cf${[...randomBytes(8)].map((byte) => letters[byte % letters.length]).join("")}`;
}
