import type { Progress } from "../../conformance/run/certification.js";

export interface BarOptions {
  /** Milliseconds since the run began. */
  readonly elapsed: number;
  /** Milliseconds until it is over, as far as anybody knows; infinite when nobody does. */
  readonly left: number;
  /** How wide the lines may be. */
  readonly columns: number;
  /** Characters of the bar; none where it would not move. */
  readonly barWidth?: number;
}

/** How far a run is, in two lines: a bar with the time, and what was done. */
export function progressBar(progress: Progress, options: BarOptions): readonly [string, string] {
  const { elapsed, left, columns, barWidth = Math.min(30, Math.max(8, columns - 50)) } = options;
  const { finished, total, failed, requests, tries, share, running } = progress;
  const filled = Math.round(barWidth * share);
  const bar = barWidth === 0 ? "" : `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} `;
  const rest = Number.isFinite(left) ? `, about ${inWords(left)} left` : "";
  const counts = [
    `${finished}/${total} checks`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    `${tries} tries`,
    `${requests} requests`,
  ].join(", ");
  const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
  const now = running.length === 0 ? "" : `  ${running[0]}${more}`;
  return [
    cut(`${bar}${Math.floor(share * 100)}%  ${inWords(elapsed)}${rest}`, columns - 1),
    cut(counts + now, columns - 1),
  ];
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}

/** A duration as somebody would say it, the coarser the longer: what is far away nobody knows to the second. */
function inWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
