import type { Exchange } from "../client/exchange.js";
import { formatExchange, formatTable, shorten } from "./format-failure.js";

/** Something that `observe` or `compare` has found, for the terminal and for a page. */
export interface Finding {
  readonly name: string;
  readonly notes: readonly string[];
  /** The number to which other findings refer. */
  readonly number?: number;
  /** Numbers of the findings that explain this one. */
  readonly see?: readonly number[];
  /** Values from responses, with labels. */
  readonly values?: readonly (readonly [label: string, value: string])[];
  /** Requests with the response of each target. */
  readonly exchanges?: readonly ComparedExchange[];
  /** Number of requests before the shown ones. */
  readonly omittedExchanges?: number;
  /** A script for bash that sends the requests. */
  readonly curl?: string;
}

/** A request to one or two targets, and their responses. */
export interface ComparedExchange {
  readonly first: Exchange;
  readonly second?: Exchange;
}

export interface FindingList {
  readonly title: string;
  readonly findings: readonly Finding[];
  /** How the terminal shows the list: only names and first notes, or not at all. By default, it shows everything. */
  readonly inTerminal?: "brief" | "hidden";
}

/** Maximum numbers of characters of a value and a body, of requests, and of findings shown with their requests. */
const max = { value: 400, body: 200, exchanges: 4, findings: 20 };

/** Formats lists of findings for a terminal; leaves out empty lists. */
export function formatFindings(lists: readonly FindingList[]): readonly string[] {
  return lists.flatMap(({ title, findings, inTerminal }) => {
    if (findings.length === 0 || inTerminal === "hidden") return [];
    if (findings.every(({ values }) => values === undefined))
      return [title, ...formatTable(findings.map((finding) => [finding.name, formatNote(finding)])), ""];
    const format = inTerminal === "brief" ? formatBriefly : formatFinding;
    return [title, ...findings.flatMap(format), ""];
  });
}

function formatNote({ notes: [note = ""], see = [] }: Finding): string {
  const numbers = see.map((number) => `#${number}`).join(", ");
  return shorten(numbers === "" ? note : `${note}, see ${numbers}`, max.value);
}

function formatBriefly({ number, name, notes }: Finding): readonly string[] {
  const head = number === undefined ? name : `#${number} ${name}`;
  return [`  ${shorten(head, max.value)}`, ...notes.slice(0, 1).map(formatLine)];
}

function formatFinding(finding: Finding, index: number): readonly string[] {
  const { notes, values = [], exchanges = [], omittedExchanges = 0 } = finding;
  const shown = index < max.findings ? exchanges.slice(-max.exchanges) : [];
  const earlier = omittedExchanges + exchanges.length - shown.length;
  return [
    ...formatBriefly(finding),
    ...formatTable(
      values.map(([label, value]) => [label, shorten(value, max.value)]),
      "    ",
    ),
    ...notes.slice(1).map(formatLine),
    ...shown.flatMap((exchange, place) => formatExchange(exchange, earlier + place + 1, max.body)),
  ];
}

function formatLine(note: string): string {
  return `    ${shorten(note, max.value)}`;
}

/** Groups reasons for a list: equal reasons are one finding. */
export function groupReasons(
  reasons: readonly { readonly id: string; readonly reason: string }[],
): readonly Finding[] {
  const ids = new Map<string, string[]>();
  for (const { id, reason } of reasons) ids.set(reason, [...(ids.get(reason) ?? []), id]);
  return [...ids].map(([reason, names]) => ({
    name:
      names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", "),
    notes: [reason],
  }));
}
