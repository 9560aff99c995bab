import { Problem } from "../domain/problem.js";

/** Returns the problem that a function throws. */
export function catchProblem(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
