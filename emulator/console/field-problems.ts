import type { Reply } from "./visit.js";

/** What is wrong with one field. */
export interface FieldProblem {
  readonly text: string;
}

/** A refusal in the words of the API, sorted by the fields of the form that it came from. */
export interface Refusal {
  readonly status: number;
  /** What is about no field. */
  readonly general: readonly string[];
  readonly fields: Readonly<Record<string, FieldProblem>>;
}

interface ProblemBody {
  readonly title?: unknown;
  readonly detail?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly code?: unknown;
  readonly errors?: readonly { readonly pointer?: unknown; readonly detail?: unknown }[];
}

/**
 * Reads a refusal.
 *
 * @param fieldOf the field for a place in the body, as a JSON pointer; nothing where the form has none
 */
export function refusalOf(reply: Reply, fieldOf: (pointer: string) => string | undefined): Refusal {
  const body = (reply.body ?? {}) as ProblemBody;
  const fields: Record<string, FieldProblem> = {};
  const general: string[] = [];
  const violations = Array.isArray(body.errors) ? body.errors : [];
  for (const { pointer, detail } of violations) {
    const place = typeof pointer === "string" ? pointer : "";
    const text = typeof detail === "string" ? detail : "is not valid";
    const field = fieldOf(place);
    if (field === undefined) general.push(place === "" ? text : `${place}: ${text}`);
    else {
      const before = fields[field];
      const whole = place.split("/").length > 2 ? `${place}: ${text}` : text;
      fields[field] = { text: before === undefined ? whole : `${before.text}; ${whole}` };
    }
  }
  if (violations.length === 0) general.push(sentenceOf(body, reply));
  return { status: reply.status, general, fields };
}

/** A refusal that is about no field. */
export function generalRefusal(reply: Reply): Refusal {
  return refusalOf(reply, () => undefined);
}

function sentenceOf({ title, detail, message, details, code }: ProblemBody, { status, text }: Reply): string {
  const parts = [code, title, message, detail, details].filter(
    (part): part is string => typeof part === "string" && part !== "",
  );
  return parts.length > 0 ? [...new Set(parts)].join(": ") : text === "" ? `Status ${status}` : text;
}
