import type { HtmlEscapedString } from "hono/utils/html";
import { escapeInvisible } from "../../../openapi/text/escape-invisible.js";
import type { Report } from "../../report/report.js";
import type { Verdict } from "../../run/verdict.js";

/** Names of shields.io colours, with their values. */
const colors: Readonly<Record<Verdict, readonly [name: string, value: string]>> = {
  conformant: ["brightgreen", "#4c1"],
  partial: ["yellow", "#dfb317"],
  "not conformant": ["red", "#e05d44"],
  inconclusive: ["lightgrey", "#9f9f9f"],
};

const label = "data service";

/** Builds the badge of a run for a shields.io endpoint: the verdict, and how many checks of the suite passed. */
export function buildBadgeJson(report: Report): object {
  return { schemaVersion: 1, label, message: formatMessage(report), color: colors[report.verdict][0] };
}

/** Renders the same badge as an SVG picture. */
export function renderBadgeSvg(report: Report): string {
  const message = formatMessage(report);
  const [, color] = colors[report.verdict];
  const left = estimateWidth(label);
  const right = estimateWidth(message);
  const svg = (
    <svg xmlns="http://www.w3.org/2000/svg" width={left + right} height="20" role="img">
      <title>{escapeInvisible(`${report.target.title}: ${message}`)}</title>
      <clipPath id="corners">
        <rect width={left + right} height="20" rx="3" />
      </clipPath>
      <g clip-path="url(#corners)">
        <rect width={left} height="20" fill="#555" />
        <rect x={left} width={right} height="20" fill={color} />
      </g>
      <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
        <text x={left / 2} y="14" textLength={left - 2 * padding}>
          {label}
        </text>
        <text x={left + right / 2} y="14" textLength={right - 2 * padding}>
          {message}
        </text>
      </g>
    </svg>
  );
  return `${svg as HtmlEscapedString}\n`;
}

function formatMessage({ verdict, counts, checks }: Report): string {
  return `${verdict}, ${counts.passed}/${checks.length} checks`;
}

const padding = 6;
/** The mean width of a character; `textLength` makes each text fill its width in any font. */
const characterWidth = 6;

function estimateWidth(text: string): number {
  return Math.round(text.length * characterWidth) + 2 * padding;
}
