import { styleText } from "node:util";
import { type Area, getArea } from "../../conformance/check/check.js";
import type { CertificationProgress } from "../../conformance/run/certification.js";
import { createProgressLine } from "./suite-command.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** Interval in milliseconds of updates on a terminal, and of checks whether a log needs a new line. */
const refreshMs = { terminal: 100, log: 250 };
/** Maximum time between two lines in a log. */
const maxPauseMs = 30_000;
/** Minimum completed share of the run for an estimate of the remaining time. */
const minShare = 0.02;

/**
 * Shows the progress of a run. On a terminal, it rewrites a line at the bottom. Elsewhere, it writes a line for each
 * failure and each completed area, and a line with the progress for each tenth of the run and after a long pause.
 */
export class CertifyProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #deadline: number;
  readonly #showLine: (text?: string) => void;
  readonly #startedAt = Date.now();
  readonly #areas = new Map<Area, { readonly startedAt: number; checks: number; failed: number }>();
  #timer: NodeJS.Timeout | undefined;
  #printedAt = Date.now();
  /** Number of tenths of the run that the log has reported. */
  #tenths = 0;

  /** @param options with the deadline of the run, in milliseconds since 1970 */
  constructor(stream: NodeJS.WriteStream, { deadline = Infinity }: { readonly deadline?: number } = {}) {
    this.#stream = stream;
    this.#deadline = deadline;
    this.#showLine = createProgressLine(stream);
  }

  /** @param progress returns the current progress of the run */
  start(progress: () => CertificationProgress): void {
    const interval = this.#stream.isTTY ? refreshMs.terminal : refreshMs.log;
    this.#timer = setInterval(() => this.#tick(progress()), interval).unref();
  }

  /** Shows the progress after a check has ended. */
  show(progress: CertificationProgress): void {
    const { last } = progress;
    if (last?.level === "failed") {
      const hasColors = this.#stream.isTTY && process.env.NO_COLOR === undefined;
      const failed = hasColors ? styleText("red", "failed") : "failed";
      this.printLine(`${failed} ${last.check.id}: ${last.failure?.clause ?? ""}`);
    }
    if (this.#stream.isTTY) this.#tick(progress);
    else this.#countInArea(progress);
  }

  /** Writes a separate line. */
  printLine(line: string): void {
    this.#showLine();
    this.#stream.write(`${line}\n`);
    this.#printedAt = Date.now();
  }

  /** Stops the updates, and clears the line on a terminal. */
  end(): void {
    clearInterval(this.#timer);
    this.#showLine();
    for (const area of this.#areas.keys()) this.#endArea(area);
  }

  /** Prints an empty line after the lines in a log. */
  printSeparator(): void {
    if (!this.#stream.isTTY) this.#stream.write("\n");
  }

  #tick(progress: CertificationProgress): void {
    const now = Date.now();
    const elapsed = now - this.#startedAt;
    const left = Math.min(estimateTimeLeft(elapsed, progress.share), this.#deadline - now);
    const text = formatProgress(progress, elapsed, left);
    const tenths = Math.floor(progress.share * 10);
    if (this.#stream.isTTY) this.#showLine(text.slice(0, Math.max(0, (this.#stream.columns || 80) - 1)));
    else if (tenths > this.#tenths || now - this.#printedAt >= maxPauseMs) {
      this.#tenths = tenths;
      this.printLine(text);
    }
  }

  #countInArea({ last, openAreas }: CertificationProgress): void {
    if (last === undefined) return;
    const area = getArea(last.check);
    const known = this.#areas.get(area) ?? { startedAt: Date.now() - last.durationMs, checks: 0, failed: 0 };
    this.#areas.set(area, known);
    known.checks++;
    if (last.level === "failed") known.failed++;
    if (!openAreas.has(area)) this.#endArea(area);
  }

  #endArea(area: Area): void {
    const known = this.#areas.get(area);
    if (known === undefined) return;
    const { checks, failed, startedAt } = known;
    const result = failed === 0 ? "" : `, ${failed} failed`;
    this.printLine(
      `${area}: ${formatCount(checks, "check")}${result}, ${formatDuration(Date.now() - startedAt)}`,
    );
    this.#areas.delete(area);
  }
}

/** Estimates the remaining time of a run in milliseconds; infinite until enough of the run is done for an estimate. */
function estimateTimeLeft(elapsed: number, share: number): number {
  return share < minShare ? Infinity : (elapsed * (1 - share)) / share;
}

function formatProgress(progress: CertificationProgress, elapsed: number, left: number): string {
  const { finished, total, failed, requests, share, running } = progress;
  const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
  return [
    `${Math.floor(share * 100)}% in ${formatDuration(elapsed)}`,
    ...(Number.isFinite(left) ? [`about ${formatDuration(left)} left`] : []),
    `${finished}/${total} checks`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `${requests} requests${running.length === 0 ? "" : `; running ${running[0]}${more}`}`,
  ].join(", ");
}

function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
