import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";

/** Writes to standard output, and nothing that the terminal obeys: parts of the text come from clients and deployments. */
export function print(text: string): void {
  process.stdout.write(escapeInvisibleInLines(text));
}

/** The same to standard error. */
export function printError(text: string): void {
  process.stderr.write(escapeInvisibleInLines(text));
}
