import { createHash } from "node:crypto";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";
import { formatJsonLines } from "../../report/differences.js";
import { formatDuration, outcomeLabels } from "../../report/outcome-labels.js";
import type { CheckOutcome } from "../../run/result.js";
import { escapeInvisibleInLines } from "../../../openapi/text/escape-invisible.js";
import { readAsset } from "../../../openapi/html/read-asset.js";

/** A section of a page with its own heading and an entry in the navigation. */
export interface ReportSection {
  readonly id: string;
  readonly title: string;
  /** Note beside the title in the navigation. */
  readonly note?: string | undefined;
  readonly body: Child;
}

interface PageOptions {
  readonly title: string;
  readonly header: Child;
  readonly sections: readonly (ReportSection | undefined)[];
  readonly footer?: Child;
}

const hashForCsp = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * Renders a self-contained page: no font, no image, no network. Its policy allows only its own style and script; without
 * the script, there are no copy buttons.
 */
export function renderPage({ title, header, sections, footer }: PageOptions): string {
  const shown = sections.filter((section) => section !== undefined);
  const [style, script] = [readAsset("report.css"), readAsset("page.js")];
  const policy = `default-src 'none'; style-src ${hashForCsp(style)}; script-src ${hashForCsp(script)}; base-uri 'none'; form-action 'none'`;
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        <style>{raw(style)}</style>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the findings
        </a>
        {header}
        {shown.length > 1 && (
          <nav aria-label="Sections of the report">
            <ul>
              {shown.map(({ id, title, note }) => (
                <li>
                  <a href={`#${id}`}>
                    {title} {note !== undefined && <span class="note">{note}</span>}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <main id="main">
          {shown.map(({ id, title, body }) => (
            <section aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              {body}
            </section>
          ))}
        </main>
        {footer !== undefined && (
          <footer>
            <p>{footer}</p>
          </footer>
        )}
        <script>{raw(script)}</script>
      </body>
    </html>
  );
  return `<!doctype html>\n${(page as HtmlEscapedString).toString()}\n`;
}

/** The part of a report that says which run it describes. */
export interface ReportedRun {
  readonly suite: {
    readonly name: string;
    readonly version: string;
    readonly contractVersion: string;
    readonly contractSha256?: string;
  };
  readonly run: {
    readonly id: string;
    readonly startedAt: string;
    readonly durationMs: number;
    /** Number of requests, to each target. */
    readonly requests: number | readonly number[];
  };
}

/** Lists the facts that all reports state about their run. */
export function listRunFacts({ suite, run }: ReportedRun): readonly (readonly [string, Child])[] {
  const { id, startedAt, durationMs, requests } = run;
  const hash = suite.contractSha256 === undefined ? "" : `, SHA-256 ${suite.contractSha256}`;
  return [
    ["Started", <time datetime={startedAt}>{`${startedAt.slice(0, 19).replace("T", " ")} UTC`}</time>],
    ["Duration", `${formatDuration(durationMs)}, ${[requests].flat().join(" and ")} requests`],
    ["Run", <code>{id}</code>],
    ["Suite", `${suite.name} ${suite.version}`],
    ["Contract", `${suite.contractVersion}${hash}`],
  ];
}

/** Renders a collapsed part of a page, with a heading. */
export function CollapsibleSection({
  title,
  summary,
  children,
}: {
  title: string;
  summary: Child;
  children: Child;
}) {
  return (
    <details class="part">
      <summary>
        <h3>{title}</h3>
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** Symbols of outcomes, so that outcomes can be distinguished without colours. */
export const outcomeSymbols: Readonly<Record<CheckOutcome, string>> = {
  passed: "✓",
  failed: "✗",
  blocked: "⊘",
  "not-run": "○",
  "not-declared": "–",
};

/** Renders an outcome as a symbol and words. */
export function Badge({ state, count }: { readonly state: CheckOutcome; readonly count?: number }) {
  return (
    <span class={`badge ${state}`}>
      <span aria-hidden="true">{outcomeSymbols[state]}</span> {count} {outcomeLabels[state]}
    </span>
  );
}

/** Renders outcomes with their counts; outcomes with a count of zero are left out. */
export function Badges({ of }: { readonly of: Readonly<Partial<Record<CheckOutcome, number>>> }) {
  const states = Object.keys(outcomeLabels) as CheckOutcome[];
  return (
    <span class="badges">
      {states.map((state) => (of[state] ?? 0) > 0 && <Badge state={state} count={of[state] ?? 0} />)}
    </span>
  );
}

/** Renders code in a scroll box that the keyboard can reach, with a copy button if scripts are enabled. */
export function Code({ text, label, kind = "block" }: { text: string; label: string; kind?: string }) {
  return (
    <div class="code">
      <pre class={kind} tabindex={0} role="group" aria-label={label}>
        {keepLeadingBreak(text)}
      </pre>
      <button type="button" class="copy" data-copy="" hidden>
        Copy<span class="unseen"> {label}</span>
      </button>
    </div>
  );
}

export function Text({ text }: { readonly text: string }) {
  return <pre class="text">{keepLeadingBreak(text)}</pre>;
}

/** Adds a line break before a text that starts with one, because browsers drop the first line break in `pre`. */
function keepLeadingBreak(text: string): string {
  return text.startsWith("\n") ? `\n${text}` : text;
}

/** Longer texts are collapsed. */
const maxOpenLength = 600;
/** Longer texts are truncated; the JSON report contains more of them. */
export const maxTextLength = 20_000;
/** Shorter JSON is shown on one line. */
const maxLineLength = 100;

/** Renders text unchanged and JSON in lines, collapsed if it is long; renders nothing for an empty text. */
export function Body({ text = "", what }: { readonly text?: string | undefined; readonly what: string }) {
  if (text === "") return null;
  const isLongJson = text.length >= maxLineLength && text.length <= maxTextLength && /^[[{]/.test(text);
  // Formatting decodes the escapes of invisible characters, so they are escaped again.
  const content = isLongJson ? escapeInvisibleInLines(formatJsonLines(text)) : text;
  if (content.length <= maxOpenLength) return <Text text={content} />;
  return (
    <details class="long">
      <summary>
        {what}, {text.length} characters: <code>{text.slice(0, 80)}…</code>
      </summary>
      <Code text={truncateText(content)} label={what} />
    </details>
  );
}

/** Truncates a text that is too long for a page. */
export function truncateText(text: string): string {
  return text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength)}…\n(truncated; the JSON report contains more)`;
}
