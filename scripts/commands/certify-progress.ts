import type { Progress } from "../../conformance/run/certification.js";
import { type Area, areaOf } from "../../conformance/check/check.js";
import { progressBar } from "./progress-bar.js";
import { TimeLeft } from "./time-left.js";

/** How often the lines on a terminal are written anew. */
const refreshMs = 100;
/** How long a log may go without a line. */
const quietMs = 10_000;

export interface ProgressOptions {
  /** When the run has to be over, as milliseconds since 1970. */
  readonly deadline?: number;
  /** Makes what failed stand out. */
  readonly paint?: (text: string, color: "red" | "dim") => string;
}

/**
 * Shows how far a run is. On a terminal two lines at the bottom, which move while a check runs; anywhere else a line for
 * each area and each failure, and one now and then that says that the run goes on.
 */
export class CertifyProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #deadline: number;
  readonly #paint: NonNullable<ProgressOptions["paint"]>;
  readonly #startedAt = Date.now();
  readonly #left = new TimeLeft();
  #timer: NodeJS.Timeout | undefined;
  #area: Area | undefined;
  #ofArea = { checks: 0, failed: 0, startedAt: Date.now() };
  #isShown = false;
  #spokeAt = Date.now();

  constructor(stream: NodeJS.WriteStream, { deadline, paint = (text) => text }: ProgressOptions = {}) {
    this.#stream = stream;
    this.#deadline = deadline ?? Infinity;
    this.#paint = paint;
  }

  /** @param progress tells how far the run is, whenever it is asked */
  start(progress: () => Progress): void {
    const interval = this.#stream.isTTY ? refreshMs : 1000;
    this.#timer = setInterval(() => this.#tick(progress()), interval).unref();
  }

  /** Told of every check that ends. */
  show(progress: Progress): void {
    const { last } = progress;
    if (last?.level === "failed")
      this.say(`${this.#paint("failed", "red")} ${last.check.id}: ${last.failure?.clause ?? ""}`);
    if (this.#stream.isTTY) this.#tick(progress);
    else this.#countArea(progress);
  }

  /** Writes a line of its own. */
  say(line: string): void {
    this.#clear();
    this.#stream.write(`${line}\n`);
    this.#spokeAt = Date.now();
  }

  /** Makes room for other output. */
  end(): void {
    clearInterval(this.#timer);
    this.#clear();
    this.#endArea();
  }

  #tick(progress: Progress): void {
    const now = Date.now();
    const elapsed = now - this.#startedAt;
    const left = Math.min(this.#left.after(elapsed, progress.share), this.#deadline - now);
    if (this.#stream.isTTY) {
      this.#clear();
      const [first, second] = progressBar(progress, { elapsed, left, columns: this.#stream.columns || 80 });
      // the cursor stays on the first line, so that other output replaces both
      this.#stream.write(`${first}\n${this.#paint(second, "dim")}\u001b[1A\r`);
      this.#isShown = true;
    } else if (now - this.#spokeAt >= quietMs)
      this.say(progressBar(progress, { elapsed, left, columns: 200, barWidth: 0 }).join("  "));
  }

  #clear(): void {
    if (this.#isShown) this.#stream.write("\r\u001b[J");
    this.#isShown = false;
  }

  #countArea({ last }: Progress): void {
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
    if (this.#area === undefined || this.#stream.isTTY) return;
    const { checks, failed, startedAt } = this.#ofArea;
    const result = failed === 0 ? "" : `, ${failed} failed`;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    this.say(`${this.#area}: ${checks} ${checks === 1 ? "check" : "checks"}${result}, ${seconds} s`);
    this.#area = undefined;
  }
}
