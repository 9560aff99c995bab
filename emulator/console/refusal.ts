import type { Reply } from "./visit.js";

/** A refusal in the words of the API, sorted by the fields of the form that it came from. */
export interface Refusal {
  readonly status: number;
  /** What is about no field. */
  readonly general: readonly string[];
  readonly problems: readonly FieldProblem[];
}

/** What is wrong at a place in the body, and the field of the form that it comes from. */
interface FieldProblem {
  readonly place: string;
  readonly field: string;
  readonly text: string;
}

interface ProblemBody {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly { readonly pointer?: unknown; readonly detail?: unknown }[];
}

/** The field that a place in the body, as a JSON pointer, comes from. */
export type FieldOf = (pointer: string) => string;

/** Fields that are called as the members of the body are, but for some. */
export function fieldsNamed(names: Readonly<Record<string, string>>): FieldOf {
  return (pointer) => {
    const [, member = ""] = pointer.split("/");
    return names[member] ?? member;
  };
}

/** Reads a refusal. */
export function refusalOf(reply: Reply, fieldOf: FieldOf = fieldsNamed({})): Refusal {
  const body = (reply.body ?? {}) as ProblemBody;
  const violations = Array.isArray(body.errors) ? body.errors : [];
  const problems = violations.map(({ pointer, detail }) => {
    const place = typeof pointer === "string" ? pointer : "";
    return { place, field: fieldOf(place), text: typeof detail === "string" ? detail : "is not valid" };
  });
  const general = violations.length === 0 ? [sentenceOf(body, reply)] : [];
  return { status: reply.status, general, problems };
}

/** A refusal of the form itself, at one of its fields. */
export function mistakeIn(field: string, text: string): Refusal {
  return { status: 400, general: [], problems: [{ place: "", field, text }] };
}

function sentenceOf({ title, detail, message, details, code }: ProblemBody, { status, text }: Reply): string {
  const parts = [code, title, message, detail, details].filter(
    (part): part is string => typeof part === "string" && part !== "",
  );
  return parts.length > 0 ? [...new Set(parts)].join(": ") : text === "" ? `Status ${status}` : text;
}
