import type { ProblemKind } from "../../openapi/operations/problems.js";
import type { Violation } from "../../openapi/validation/violation.js";

/**
 * What the caller of the API did wrong. Thrown anywhere under a handler, it undoes the handler's transaction and
 * is turned into an answer in one place.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;
  /** The response's status in the control plane; in the service the profile decides it. */
  readonly status: number | undefined;

  /**
   * @param detail what was wrong and what to do about it
   * @param more places of a request that is not valid; headers that the answer carries
   */
  constructor(
    kind: ProblemKind,
    detail: string,
    more: {
      readonly violations?: readonly Violation[];
      readonly headers?: Readonly<Record<string, string>>;
      readonly status?: number;
    } = {},
  ) {
    // a stack takes longer than the rest of a refusal; callers in-process get one by `captureStack`
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = limit;
    this.name = "Problem";
    this.kind = kind;
    this.violations = more.violations ?? [];
    this.headers = more.headers ?? {};
    this.status = more.status;
  }
}

/** Gives a problem the stack of where this is called: programs see which of their lines was refused. */
export function captureStack(problem: Problem): Problem {
  Error.captureStackTrace(problem, captureStack);
  return problem;
}

/** A request that does not fit the contract, with every place where it does not. */
export function createValidationProblem(...violations: readonly Violation[]): Problem {
  const [first] = violations;
  const place = first === undefined ? "" : `${formatLocation(first)}: ${first.detail}`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more; see errors)` : "";
  return new Problem("validation-failed", `${place}${more}`, { violations });
}

/** Where a violation is: the part of the request, and the JSON pointer into it unless it is the whole. */
export function formatLocation({ in: part, pointer }: Violation): string {
  return pointer === "" ? part : `${part} ${pointer}`;
}

/** A member of the body that is not valid. */
export function createInvalidBodyProblem(pointer: string, detail: string): Problem {
  return createValidationProblem({ in: "body", pointer, detail });
}
