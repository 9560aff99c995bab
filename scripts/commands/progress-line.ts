/** Maximum time between two lines in a log, in milliseconds. */
const logIntervalMs = 30_000;

/** Shows the progress of a run: rewrites a line on a terminal; elsewhere, such as in a log, adds a line at intervals. */
export class ProgressLine {
  #printedAt = Date.now();

  constructor(private readonly stream: NodeJS.WriteStream) {}

  /** @param isMilestone whether a log must have the text in any case */
  show(text: string, isMilestone = false): void {
    if (this.stream.isTTY) this.#rewrite(text.slice(0, Math.max(0, (this.stream.columns || 80) - 1)));
    else if (isMilestone || Date.now() - this.#printedAt >= logIntervalMs) this.print(text);
  }

  /** Writes a line that remains. */
  print(line: string): void {
    this.clear();
    this.stream.write(`${line}\n`);
    this.#printedAt = Date.now();
  }

  /** Clears the line on a terminal. */
  clear(): void {
    if (this.stream.isTTY) this.#rewrite("");
  }

  #rewrite(text: string): void {
    this.stream.write(`\r\u001b[K${text}`);
  }
}
