import { truncateBody } from "../client/truncate-body.js";
import { toOneLine } from "../client/to-one-line.js";
import { type ValueDifference, markDifference, type MarkedDifference } from "./differences.js";
import type { Exchange } from "../client/exchange.js";
import type { ReportedFailure } from "./report.js";

/** Styles a text; returns it unchanged if the output is not a terminal. */
export type Colorizer = (text: string, color: "red" | "green" | "yellow" | "bold" | "dim") => string;

export interface FailureTextOptions {
  /** The command line without options that select what to run, for the command that replays a failure. */
  readonly command: string;
  readonly paint?: Colorizer;
  /** Prefix that is omitted from URLs. */
  readonly baseUrl?: string;
  /** Whether to show all exchanges, whole bodies and the curl script. */
  readonly isVerbose?: boolean;
  /** File with the full text of the failure. */
  readonly file?: string;
  /** File of the curl script. */
  readonly script?: string;
}

/** Maximum numbers of differences and exchanges, and of characters of a body and a value. */
const brief = { differences: 5, exchanges: 4, body: 160, value: 400 };
const verbose = { differences: 50, exchanges: Infinity, body: Infinity, value: Infinity };

/** Formats a failure: the clause, what differs, the input, the exchanges and how to reproduce it. */
export function formatFailure(failure: ReportedFailure, options: FailureTextOptions): readonly string[] {
  const { command, isVerbose = false, paint = (text: string) => text, file, script } = options;
  const { clause, part, statement, comparison, inputs, isFlaky, gaps } = failure;
  const max = isVerbose ? verbose : brief;
  const cut = (text: string) => shorten(text, max.value);
  const shown = failure.exchanges.slice(max.exchanges === Infinity ? 0 : -max.exchanges);
  const skipped = failure.exchanges.length - shown.length;
  const label = (name: string) => paint(name.padEnd(10), "dim");
  return [
    `  ${paint(clause, "bold")} (part ${part}): ${statement}`,
    ...(comparison === undefined
      ? [`  ${label("expected")}${cut(failure.expected)}`, `  ${label("actual")}${cut(failure.actual)}`]
      : formatDifferences(failure, comparison, max.differences, paint)),
    ...(isFlaky === undefined ? [] : ["  the failure did not recur on the second try"]),
    ...(gaps.length === 0
      ? []
      : [
          `  ${label("open")}if you know the deployment's answers to these gaps, add them to \`profile\` in the target file: ${gaps.join(", ")}`,
        ]),
    ...(inputs === undefined
      ? []
      : [
          "  smallest input found",
          ...formatTable(
            inputs.map(({ name, value }) => [name, cut(value)]),
            "    ",
          ),
        ]),
    ...(shown.length === 0 ? [] : ["  exchanges"]),
    ...(skipped > 0 ? [`    … ${skipped} earlier exchanges`] : []),
    ...shown.flatMap((exchange, index) =>
      formatExchange({ first: exchange }, skipped + index + 1, max.body, options.baseUrl),
    ),
    ...(isVerbose
      ? [
          "  the same with curl",
          ...failure.curl
            .trimEnd()
            .split("\n")
            .map((line) => (line === "" ? "" : `    ${line}`)),
        ]
      : []),
    ...(file === undefined ? [] : [`  ${label("full text")}${file}`]),
    ...(script === undefined ? [] : [`  ${label("with curl")}bash ${script}`]),
    `  ${label("replay")}${command} --replay ${failure.replay}`,
  ];
}

function formatDifferences(
  { expected, actual }: ReportedFailure,
  { what, differences, differenceCount }: NonNullable<ReportedFailure["comparison"]>,
  most: number,
  paint: Colorizer,
): readonly string[] {
  // Without differences, the words say more than the values.
  if (differenceCount === 0) return [`  expected  ${expected}`, `  actual    ${actual}`];
  const places = differenceCount === 1 ? "one difference" : `${differenceCount} differences`;
  const shown = differences.slice(0, most);
  const more = differenceCount - shown.length;
  return [
    `  ${what}: ${places}`,
    ...shown.flatMap((difference) => formatPlace(difference, paint)),
    ...(more > 0 ? [`    … and ${more} more`] : []),
  ];
}

/** Formats one difference, with carets below the part that differs. */
function formatPlace({ path, expected, actual }: ValueDifference, paint: Colorizer): readonly string[] {
  const place = path === "" ? [] : [`    at ${path}`];
  if (actual === undefined)
    return [...place, `      ${paint("missing", "red")}     ${truncateBody(expected ?? "", 200)}`];
  if (expected === undefined)
    return [...place, `      ${paint("unexpected", "red")}  ${truncateBody(actual, 200)}`];
  const marked = markDifference(expected, actual);
  // Missing characters have no position of their own.
  const differs = marked.actual.differs === "" ? marked.expected.differs : marked.actual.differs;
  const carets = "^".repeat(Math.max(1, countColumns(differs)));
  return [
    ...place,
    `      expected    ${paintDifference(marked.expected, paint, "green")}`,
    `      actual      ${paintDifference(marked.actual, paint, "red")}`,
    ...(isSimilar(marked.actual) || isSimilar(marked.expected)
      ? [`                  ${" ".repeat(countColumns(marked.actual.before))}${carets}`]
      : []),
  ];
}

/** Whether enough characters are equal for carets to help. */
function isSimilar({ before, after }: MarkedDifference): boolean {
  return before.length + after.length > 2;
}

function paintDifference(
  { before, differs, after }: MarkedDifference,
  paint: Colorizer,
  color: "green" | "red",
): string {
  return before + (differs === "" ? "" : paint(differs, color)) + after;
}

/** Counts the columns on a terminal, approximated by the number of characters. */
function countColumns(text: string): number {
  return Array.from(text).length;
}

/** Puts a text on one line and truncates it; returns the text unchanged if there is no maximum. */
export function shorten(text: string, maxLength: number): string {
  return maxLength === Infinity ? text : truncateBody(toOneLine(text), maxLength);
}

/** Formats a request and its response, or both targets' responses if they differ. */
export function formatExchange(
  { first, second = first }: { readonly first: Exchange; readonly second?: Exchange },
  number: number,
  maxBodyLength: number,
  baseUrl = "",
): readonly string[] {
  const { caller, request, setUp } = first;
  const { method, url, body = "" } = request;
  const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url;
  const [here, there] = [first, second].map(({ answer, failure = "no response" }) =>
    answer === undefined ? failure : `${answer.status} ${shorten(answer.body, maxBodyLength)}`.trimEnd(),
  );
  return [
    `    ${number}. ${caller}: ${method} ${path}${setUp ? " (setup)" : ""}`,
    ...(body === "" ? [] : [`       ${shorten(body, maxBodyLength)}`]),
    ...(here === there ? [`       → ${here}`] : [`       → first: ${here}`, `       → second: ${there}`]),
  ];
}

/** Formats rows of two columns, indented. */
export function formatTable(rows: readonly (readonly [string, string])[], indent = "  "): readonly string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${indent}${name.padEnd(width)}  ${value}`.trimEnd());
}
