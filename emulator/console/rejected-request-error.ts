/** A response to a request of a page. */
export interface ConsoleResponse {
  readonly status: number;
  readonly text: string;
  /** The text parsed as JSON; undefined if it is not JSON. */
  readonly body: unknown;
}

/** A request that was rejected by the API, or by the console because a field of the form is invalid. */
export class RejectedRequestError extends Error {
  constructor(
    readonly status: number,
    /** Sentences about the request as a whole. */
    readonly general: readonly string[],
    /** Mistakes in the body, each with its JSON pointer. */
    readonly problems: readonly { readonly pointer: string; readonly text: string }[] = [],
  ) {
    super(general.join(" "));
  }

  /** All mistakes, for a page that does not show them beside the fields of a form. */
  get sentences(): readonly string[] {
    return [...this.general, ...this.problems.map(({ pointer, text }) => `${pointer}: ${text}`)];
  }
}

interface ProblemBody {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly { readonly pointer?: string; readonly detail?: string }[];
}

/** Parses a refusal in any of the error formats of profiles. */
export function toRejectedRequestError({ status, text, body }: ConsoleResponse): RejectedRequestError {
  const { title, detail, message, details, code, errors = [] } = (body ?? {}) as ProblemBody;
  const problems = [errors].flat().map((error) => ({
    pointer: error.pointer ?? "",
    text: error.detail ?? "is not valid",
  }));
  if (problems.length > 0) return new RejectedRequestError(status, [], problems);
  const sentences = [code, title, message, detail, details].filter(
    (part) => typeof part === "string" && part !== "",
  );
  const sentence = [...new Set(sentences)].join(": ");
  return new RejectedRequestError(status, [sentence || text || `The response has the status ${status}.`]);
}
