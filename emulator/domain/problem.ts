import type { ProblemKind } from "../../openapi/operations/problems.js";
import type { Violation } from "../../openapi/validation/violation.js";

/**
 * A mistake of the caller of the API. When it is thrown in a handler, the handler's transaction is rolled back, and it
 * is converted to a response in one place.
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
    // capturing a stack takes longer than the rest of a refusal; callers of functions get one from `createCallProblem`
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
 * Creates a problem for a program, which may print no more than its message and stack: the message has all violations, and
 * the stack shows which line of the program caused it.
 */
export function createCallProblem(
  kind: ProblemKind,
  detail: string,
  more: ConstructorParameters<typeof Problem>[2] & object,
): Problem {
  const { violations = [] } = more;
  const all = violations.map((violation) => `${formatLocation(violation)}: ${violation.detail}`);
  const problem = new Problem(kind, all.length > 1 ? all.join("; ") : detail, more);
  Error.captureStackTrace(problem, createCallProblem);
  return problem;
}

/** The problem for a request that violates the contract, with all mistakes. */
export function createValidationProblem(...violations: readonly Violation[]): Problem {
  const [first] = violations;
  const place = first === undefined ? "" : `${formatLocation(first)}: ${first.detail}`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more; see errors)` : "";
  return new Problem("validation-failed", `${place}${more}`, { violations });
}

/** The location of a violation: the part of the request and, unless it is the whole part, a JSON pointer. */
export function formatLocation({ in: part, pointer }: Violation): string {
  return pointer === "" ? part : `${part} ${pointer}`;
}

/** The problem for an invalid field of the body. */
export function createInvalidBodyProblem(pointer: string, detail: string): Problem {
  return createValidationProblem({ in: "body", pointer, detail });
}
