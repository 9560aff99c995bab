import type * as Yaml from "yaml";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { parseYaml } from "../client/parse-yaml.js";
import { RunError } from "../client/violation.js";

/** A known cause of differences, and why it is accepted. */
export interface AcceptedCause {
  readonly cause: string;
  readonly reason: string;
  /** Clauses that the cause is known to break; if the cause breaks another clause, it counts as new. */
  readonly breaks?: readonly string[];
}

/** The reason for each cause in a new file, until the user writes a better one. */
export const missingReason = "not explained yet";

/**
 * Parses a file of accepted causes (YAML or JSON): a list `accepted` of objects with `cause` and `reason`.
 *
 * @throws RunError when the text is not such a file
 */
export function parseAcceptedCauses(text: string, name: string): readonly AcceptedCause[] {
  const parsed = parseYaml(text);
  if ("mistake" in parsed) throw new RunError(`${name} is ${parsed.mistake}`);
  const { accepted } = (parsed.value ?? {}) as { readonly accepted?: unknown };
  if (!Array.isArray(accepted)) throw new RunError(`${name}: expected a list "accepted"`);
  return accepted.map((entry: unknown, index) => {
    const { cause, reason, breaks = [] } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof cause !== "string" || typeof reason !== "string" || reason.trim() === "")
      throw new RunError(`${name}: accepted[${index}] must have "cause" and "reason", both strings`);
    if (!Array.isArray(breaks))
      throw new RunError(`${name}: accepted[${index}].breaks is not a list of clauses`);
    return { cause, reason, breaks: breaks.map(String) };
  });
}

/** Formats a file of accepted causes; causes that were accepted before keep their reasons. */
export function formatAcceptedCauses(
  causes: readonly Omit<AcceptedCause, "reason">[],
  before: readonly AcceptedCause[],
): string {
  const { stringify } = lazyRequire("yaml") as typeof Yaml;
  const reasons = new Map(before.map(({ cause, reason }) => [cause, reason]));
  const accepted = causes
    .toSorted((a, b) => (a.cause < b.cause ? -1 : 1))
    .map(({ cause, breaks = [] }): AcceptedCause => ({
      cause,
      reason: reasons.get(cause) ?? missingReason,
      ...(breaks.length === 0 ? {} : { breaks }),
    }));
  return stringify({ accepted }, { lineWidth: 0 });
}
