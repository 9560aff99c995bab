import type { CertificationProgress } from "../../conformance/run/certification.js";
import { ProgressLine } from "./progress-line.js";
import { paint } from "./terminal.js";

/** Interval between updates, in milliseconds. */
const refreshMs = 200;
/** Minimum completed share of the run for an estimate of the remaining time. */
const minShare = 0.02;

/** Shows the progress of a run, and a line for each failure. */
export class CertifyProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #deadline: number;
  readonly #line: ProgressLine;
  readonly #startedAt = Date.now();
  #timer: NodeJS.Timeout | undefined;

  /** @param options with the deadline of the run, in milliseconds since 1970 */
  constructor(stream: NodeJS.WriteStream, { deadline = Infinity }: { readonly deadline?: number } = {}) {
    this.#stream = stream;
    this.#deadline = deadline;
    this.#line = new ProgressLine(stream);
  }

  /** @param progress returns the current progress of the run */
  start(progress: () => CertificationProgress): void {
    this.#timer = setInterval(() => this.#update(progress()), refreshMs).unref();
  }

  /** Shows the progress after a check has ended. */
  show(progress: CertificationProgress): void {
    const { last } = progress;
    if (last?.level === "failed") {
      const failed = paint(this.#stream, "red", "failed");
      this.#line.print(`${failed} ${last.check.id}: ${last.failure?.clause ?? ""}`);
    }
    this.#update(progress);
  }

  /** Stops the updates, and clears the line on a terminal. */
  end(): void {
    clearInterval(this.#timer);
    this.#line.clear();
  }

  #update(progress: CertificationProgress): void {
    const now = Date.now();
    const elapsed = now - this.#startedAt;
    const left = Math.min(
      estimateTimeLeft(elapsed, progress.finished / progress.total),
      this.#deadline - now,
    );
    this.#line.show(formatProgress(progress, elapsed, left));
  }
}

/** Estimates the remaining time of a run in milliseconds; infinite until enough of the run is done for an estimate. */
function estimateTimeLeft(elapsed: number, share: number): number {
  return share < minShare ? Infinity : (elapsed * (1 - share)) / share;
}

function formatProgress(progress: CertificationProgress, elapsed: number, left: number): string {
  const { finished, total, failed, requests, running } = progress;
  const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
  return [
    `${Math.floor((100 * finished) / total)}% in ${formatDuration(elapsed)}`,
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
