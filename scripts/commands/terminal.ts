import { styleText } from "node:util";
import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";

/** The command with which the user started this process, for printed commands. */
export const commandName = process.env.npm_command === "exec" ? "npx data-service" : "data-service";

/** Writes to standard output and escapes control characters, because clients and deployments supply parts of the text. */
export function print(text: string): void {
  process.stdout.write(escapeInvisibleInLines(text));
}

/** Writes to standard error like {@link print}. */
export function printError(text: string): void {
  process.stderr.write(escapeInvisibleInLines(text));
}

export type TextStyle = Parameters<typeof styleText>[0];

/** Styles a text if a stream is a terminal that shows colors. */
export function paint(stream: NodeJS.WriteStream, style: TextStyle, text: string): string {
  return stream.isTTY && process.env.NO_COLOR === undefined ? styleText(style, text, { stream }) : text;
}

/** Sets the handler for errors of the output, such as a closed pipe or a full disk. */
export function setOutputErrorHandler(handle: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeListener("error", outputErrorHandler);
    stream.on("error", handle);
  }
  outputErrorHandler = handle;
}

let outputErrorHandler: (error: NodeJS.ErrnoException) => void = () => undefined;

/** An error that ends a command. Its message says what is wrong, where, and what to do. */
export class CommandError extends Error {}

/** Ends a command with one message, which `run-command-line.ts` prints. */
export function fail(message: string): never {
  throw new CommandError(message);
}

/** Prints on standard error why a command ended. */
export function printCommandError({ message }: Error): void {
  printError(`data-service: ${message}\n`);
}

/** Ends the process with one message where no caller can catch an error, e.g. in the handler of a signal. */
export function exitWithError(message: string): never {
  printCommandError(new CommandError(message));
  process.exit(2);
}
