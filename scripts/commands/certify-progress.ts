import type { Progress } from "../../conformance/run/certification.js";
import { type Area, areaOf } from "../../conformance/check/check.js";
import { progressBar } from "./progress-bar.js";
import { TimeLeft } from "./time-left.js";

/** How often the lines on a terminal are written anew, and how often a log is looked at. */
const refreshMs = { terminal: 100, log: 250 };
/** After how long without a line a log gets one: within a second at first, less often where a run goes on for long. */
const quietMs = (elapsed: number) => Math.max(1000 - refreshMs.log, elapsed / 30);

/** What is known of an area in a log. */
interface AreaSoFar {
  readonly startedAt: number;
  checks: number;
  failed: number;
}

export interface ProgressOptions {
  /** When the run has to be over, as milliseconds since 1970. */
  readonly deadline?: number;
  /** Makes what failed stand out. */
  readonly paint?: (text: string, color: "red" | "dim") => string;
}

/**
 * Shows how far a run is. On a terminal two lines at the bottom, which move while a check runs; anywhere else a line for
 * each failure and for each area whose checks are done, and one that says how far the run is when nothing else does.
 */
export class CertifyProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #deadline: number;
  readonly #paint: NonNullable<ProgressOptions["paint"]>;
  readonly #startedAt = Date.now();
  readonly #left = new TimeLeft();
  #timer: NodeJS.Timeout | undefined;
  readonly #areas = new Map<Area, AreaSoFar>();
  #isShown = false;
  #spokeAt = Date.now();

  constructor(stream: NodeJS.WriteStream, { deadline, paint = (text) => text }: ProgressOptions = {}) {
    this.#stream = stream;
    this.#deadline = deadline ?? Infinity;
    this.#paint = paint;
  }

  /** @param progress tells how far the run is, whenever it is asked */
  start(progress: () => Progress): void {
    const interval = this.#stream.isTTY ? refreshMs.terminal : refreshMs.log;
    this.#timer = setInterval(() => this.#tick(progress()), interval).unref();
  }

  /** Told of every check that ends. */
  show(progress: Progress): void {
    const { last } = progress;
    if (last?.level === "failed")
      this.say(`${this.#paint("failed", "red")} ${last.check.id}: ${last.failure?.clause ?? ""}`);
    if (this.#stream.isTTY) this.#tick(progress);
    else this.#countInArea(progress);
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
    for (const area of this.#areas.keys()) this.#endArea(area);
  }

  /** Sets what follows apart from the lines that stay. */
  setApart(): void {
    if (!this.#stream.isTTY) this.#stream.write("\n");
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
    } else if (now - this.#spokeAt >= quietMs(elapsed))
      this.say(progressBar(progress, { elapsed, left, columns: 200, barWidth: 0 }).join("  "));
  }

  #clear(): void {
    if (this.#isShown) this.#stream.write("\r\u001b[J");
    this.#isShown = false;
  }

  #countInArea({ last, openAreas }: Progress): void {
    if (last === undefined) return;
    const area = areaOf(last.check);
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
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    this.say(`${area}: ${checks} ${checks === 1 ? "check" : "checks"}${result}, ${seconds} s`);
    this.#areas.delete(area);
  }
}
