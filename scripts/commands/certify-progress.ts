import type { Progress } from "../../conformance/run/certification.js";
import { type Area, areaOf } from "../../conformance/check/check.js";

/** How often the line on a terminal is written anew. */
const refreshMs = 100;

/** Shows how far a run is: one line that changes on a terminal, a line for each area anywhere else. */
export class CertifyProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #deadline: number | undefined;
  readonly #startedAt = Date.now();
  #shownAt = 0;
  #area: Area | undefined;
  #ofArea = { checks: 0, failed: 0, startedAt: Date.now() };
  #isShown = false;

  /** @param deadline when the run has to be over, as milliseconds since 1970 */
  constructor(stream: NodeJS.WriteStream, deadline: number | undefined) {
    this.#stream = stream;
    this.#deadline = deadline;
  }

  show(progress: Progress): void {
    if (this.#stream.isTTY) this.#showLine(progress);
    else this.#showArea(progress);
  }

  /** Makes room for other output. */
  end(): void {
    if (this.#isShown) this.#stream.write("\r\u001b[K");
    this.#isShown = false;
    this.#endArea();
  }

  #showLine({ finished, total, failed, requests, last }: Progress): void {
    const now = Date.now();
    if (now - this.#shownAt < refreshMs && finished < total) return;
    this.#shownAt = now;
    const elapsed = now - this.#startedAt;
    const byChecks = finished === 0 ? undefined : (elapsed / finished) * (total - finished);
    const untilDeadline = this.#deadline === undefined ? Infinity : this.#deadline - now;
    const left = byChecks === undefined ? "" : `, about ${seconds(Math.min(byChecks, untilDeadline))} left`;
    const line =
      `${finished}/${total} checks${failed === 0 ? "" : `, ${failed} failed`}, ${requests} requests, ` +
      `${seconds(elapsed)}${left}${last === undefined ? "" : `  ${last.check.id}`}`;
    this.#stream.write(`\r\u001b[K${line.slice(0, Math.max(20, this.#stream.columns - 1))}`);
    this.#isShown = true;
  }

  #showArea({ last }: Progress): void {
    if (last === undefined) return;
    const area = areaOf(last.check);
    if (area !== this.#area) {
      this.#endArea();
      this.#area = area;
      this.#ofArea = { checks: 0, failed: 0, startedAt: Date.now() - last.durationMs };
    }
    this.#ofArea.checks++;
    if (last.level === "failed") this.#ofArea.failed++;
  }

  #endArea(): void {
    if (this.#area === undefined) return;
    const { checks, failed, startedAt } = this.#ofArea;
    const result = failed === 0 ? "" : `, ${failed} failed`;
    this.#stream.write(`${this.#area}: ${checks} checks${result}, ${seconds(Date.now() - startedAt)}\n`);
    this.#area = undefined;
  }
}

function seconds(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds / 1000));
  return whole < 100 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
