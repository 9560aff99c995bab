/** Ends a command with one message on standard error: what was wrong, where, and what to do. */
export function fail(message: string): never {
  process.stderr.write(`data-service: ${message}\n`);
  process.exit(2);
}
