import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";

/** Writes to standard output, and nothing that the terminal obeys: parts of the text come from clients and deployments. */
export function print(text: string): void {
  process.stdout.write(escapeInvisibleInLines(text));
}

/** The same to standard error. */
export function printError(text: string): void {
  process.stderr.write(escapeInvisibleInLines(text));
}

/** What a command cannot go on with: what was wrong, where, and what to do. */
export class CommandError extends Error {}

/** Ends a command with one message. Whoever runs it says so: see `run-command-line.ts`. */
export function fail(message: string): never {
  throw new CommandError(message);
}

/** Says on standard error why a command ended. */
export function report({ message }: CommandError): void {
  printError(`data-service: ${message}\n`);
}

/** Ends the process with one message, where nobody waits for the command any more: at a signal, or at a child's end. */
export function failAtOnce(message: string): never {
  report(new CommandError(message));
  process.exit(2);
}
