import { createCallProblem, createInvalidBodyProblem } from "../domain/problem.js";
import { stringifyStrictly } from "../json/stringify-strictly.js";

/** Writes the body of a call of the control plane. @throws a problem `validation-failed` for what JSON cannot represent */
export function stringifyCall(body: unknown): string {
  return stringifyStrictly(body, (pointer, detail) => {
    const { kind, message, violations } = createInvalidBodyProblem(pointer, detail);
    throw createCallProblem(kind, message, { violations, status: 400 });
  });
}
