import type { ReportedOperation } from "../../report/report.js";
import { html, type Html } from "./html.js";

/** The plots of all operations share one scale: from and to which power of ten, in milliseconds. */
export interface LatencyScale {
  readonly from: number;
  readonly to: number;
}

const width = 480;
const height = 28;
/** Room for markers and labels at both ends. */
const margin = 20;

export function latencyScale(operations: readonly ReportedOperation[]): LatencyScale {
  const edges = operations.flatMap(({ latencyMs }) =>
    (latencyMs?.histogram ?? []).flatMap(({ from, to }) => [from, to]),
  );
  const [least, most] = edges.length === 0 ? [1, 10] : [Math.min(...edges), Math.max(...edges)];
  const from = Math.log10(least);
  return { from, to: Math.max(from + 1, Math.log10(most)) };
}

function place(milliseconds: number, { from, to }: LatencyScale): number {
  const share = (Math.log10(Math.max(milliseconds, 10 ** from)) - from) / (to - from);
  return Math.round((margin + share * (width - 2 * margin)) * 100) / 100;
}

function powers({ from, to }: LatencyScale): number[] {
  const first = Math.ceil(from);
  return Array.from({ length: Math.floor(to) - first + 1 }, (_, index) => 10 ** (first + index));
}

/** Labels of the powers of ten, for the head of the table. */
export function latencyAxis(scale: LatencyScale): Html {
  return html`<svg class="axis" viewBox="0 0 ${width} 20" width="${width}" height="20" aria-hidden="true">
    ${powers(scale).map((power) => {
      const x = place(power, scale);
      const label = power >= 1000 ? `${power / 1000} s` : `${Number(power.toPrecision(1))} ms`;
      return html`<text x="${x}" y="12" text-anchor="middle">${label}</text
        ><line class="grid" x1="${x}" x2="${x}" y1="15" y2="20" />`;
    })}
  </svg>`;
}

/** Histogram of the answers' durations with median, p95 and maximum; nothing for an operation without answers. */
export function latencyPlot({ latencyMs }: ReportedOperation, scale: LatencyScale): Html | undefined {
  if (latencyMs === undefined) return undefined;
  const { histogram, median, p95, maximum } = latencyMs;
  const most = Math.max(...histogram.map(({ count }) => count));
  const middle = height / 2;
  const end = place(maximum, scale);
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">
    ${powers(scale).map((power) => {
      const x = place(power, scale);
      return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${height}" />`;
    })}${histogram.map(({ from, to, count }) => {
      const x = place(from, scale);
      const tall = Math.max(1, (count / most) * (height - 2));
      return html`<rect
        class="latency"
        x="${x}"
        y="${(height - tall).toFixed(2)}"
        width="${(place(to, scale) - x).toFixed(2)}"
        height="${tall.toFixed(2)}"
      />`;
    })}
    <line class="median" x1="${place(median, scale)}" x2="${place(median, scale)}" y1="0" y2="${height}" />
    <line class="p95" x1="${place(p95, scale)}" x2="${place(p95, scale)}" y1="0" y2="${height}" />
    <path
      class="maximum"
      d="M${end} ${middle - 4} L${end + 4} ${middle} L${end} ${middle + 4} L${end - 4} ${middle} Z"
    />
  </svg>`;
}
