import { Problem } from "../domain/problem.js";
import { SqlError } from "../sql/grammar/sql-error.js";
import type { SeedMistake } from "./seed-mistake.js";

/** Does what the service may refuse, and notes where in the seed it was refused and why. */
export class Attempts {
  readonly mistakes: SeedMistake[] = [];

  /**
   * @param pointer what the work is about; members of the body of a request have the names of the seed's
   * @returns whether it was done
   */
  try(pointer: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (error instanceof Problem) this.mistakes.push(...mistakesOf(pointer, error));
      else if (error instanceof SqlError)
        this.mistakes.push({ pointer, detail: [error.message, error.details].filter(Boolean).join(". ") });
      else throw error;
      return false;
    }
  }
}

function mistakesOf(pointer: string, { message, violations }: Problem): SeedMistake[] {
  if (violations.length === 0) return [{ pointer, detail: message }];
  return violations.map(({ in: place, pointer: within, detail }) => ({
    pointer: place === "body" ? pointer + within : pointer,
    detail,
  }));
}
