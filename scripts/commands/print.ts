import { visibleLines } from "../../openapi/text/visible.js";

/** Writes to standard output, and nothing that the terminal obeys: parts of the text come from clients and deployments. */
export function print(text: string): void {
  process.stdout.write(visibleLines(text));
}

/** The same to standard error. */
export function printError(text: string): void {
  process.stderr.write(visibleLines(text));
}
