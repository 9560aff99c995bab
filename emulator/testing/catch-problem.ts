import { Problem } from "../domain/problem.js";

/** The problem that the in-process API throws. */
export function catchProblem(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
