import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import { tryTo } from "../../openapi/text/try-to.js";

/**
 * Prints an error with its stack to standard error. Messages may quote requests, so invisible characters are escaped.
 *
 * @returns the message of the error
 */
export function printStack(what: string, error: unknown): string {
  // An object without a prototype cannot be converted.
  const reason = error instanceof Error ? error.message : (tryTo(() => String(error)) ?? "an unknown value");
  const stack = error instanceof Error ? (error.stack ?? reason) : reason;
  process.stderr.write(`${what}: ${escapeInvisibleInLines(stack)}\n`);
  return reason;
}
