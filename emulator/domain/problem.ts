import type { ProblemKind } from "../../openapi/operations/problems.js";
import type { Violation } from "../../openapi/validation/violation.js";

/**
 * A mistake of the caller of the API. If a handler throws it, the handler's transaction is rolled back, and `app.onError`
 * converts the problem to a response.
 */
export class Problem extends Error {
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;
  /** The status of the response in the control plane; in the service, the profile decides. */
  readonly status: number | undefined;

  /**
   * @param detail what was wrong and what to do about it
   * @param more mistakes in the request; headers of the response
   */
  constructor(
    readonly kind: ProblemKind,
    detail: string,
    more: {
      readonly violations?: readonly Violation[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly status?: number;
    } = {},
  ) {
    // Capturing a stack would take longer than the rest of the request. `createCallProblem` captures one for programs.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = limit;
    this.name = "Problem";
    this.violations = more.violations ?? [];
    this.headers = more.headers ?? {};
    this.status = more.status;
  }
}

/**
 * Creates a problem for a program, which may print only its message and stack. The message contains all violations, and the
 * stack shows the line of the program that caused the problem.
 */
export function createCallProblem(
  kind: ProblemKind,
  detail: string,
  more: ConstructorParameters<typeof Problem>[2] & object,
): Problem {
  const { violations = [] } = more;
  const texts = violations.map((violation) => `${formatLocation(violation)}: ${violation.detail}`);
  const problem = new Problem(kind, texts.length > 1 ? texts.join("; ") : detail, more);
  Error.captureStackTrace(problem, createCallProblem);
  return problem;
}

/** Creates the problem for a request that violates the contract, with all mistakes. */
export function createValidationProblem(...violations: readonly Violation[]): Problem {
  const [first] = violations;
  const place = first === undefined ? "" : `${formatLocation(first)}: ${first.detail}`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more; see errors)` : "";
  return new Problem("validation-failed", `${place}${more}`, { violations });
}

/** Formats the location of a violation: the part of the request and, unless it is the whole part, a JSON pointer. */
export function formatLocation({ in: part, pointer }: Violation): string {
  return pointer === "" ? part : `${part} ${pointer}`;
}

/** Creates the problem for an invalid field of the body. */
export function createInvalidBodyProblem(pointer: string, detail: string): Problem {
  return createValidationProblem({ in: "body", pointer, detail });
}
