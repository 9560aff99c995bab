import { buildOperationSituations } from "./answers.js";
import { scenarios } from "./scenarios.js";
import type { Situation } from "./situation.js";

let all: readonly Situation[] | undefined;

/** Every situation: those of each operation in the order of the operations, then the scenarios. */
export function listSituations(): readonly Situation[] {
  return (all ??= [...buildOperationSituations(), ...scenarios]);
}
