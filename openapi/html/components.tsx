import type { Child } from "hono/jsx";

interface TableProps {
  /** Description for screen readers. */
  readonly label: string;
  readonly class?: string;
  /** Titles of the columns, optionally with the class of their cells. */
  readonly head: readonly (string | readonly [title: Child, kind?: string])[];
  /** The cells of each row. The first cell is the heading of the row. */
  readonly rows?: readonly (readonly Child[])[];
  /** Maximum number of rows that are shown (default: all). */
  readonly maxRows?: number;
  /** Ids of the rows. */
  readonly ids?: readonly string[];
  /** Shown instead of a table without rows. */
  readonly empty?: Child;
  /** Attributes of the table body, for rows that are loaded later. */
  readonly body?: Readonly<Record<string, string>>;
  /** Additional rows. */
  readonly children?: Child;
}

/** Renders a table in a scrollable region that can be focused. On narrow screens, each row is shown as a list. */
export function Table({
  label,
  class: name,
  head,
  rows = [],
  maxRows = rows.length,
  ids = [],
  empty,
  body = {},
  children,
}: TableProps) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const region = (
    <div class="scroll" role="region" aria-label={label} tabindex={0}>
      <table class={name}>
        <thead>
          <tr>
            {head.map(splitColumn).map(([title, kind]) =>
              title === "" ? (
                <td />
              ) : (
                <th scope="col" class={kind}>
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody {...body}>
          {rows.slice(0, maxRows).map((cells, row) => (
            <TableRow head={head} cells={cells} id={ids[row]} />
          ))}
          {children}
        </tbody>
      </table>
    </div>
  );
  if (rows.length <= maxRows) return region;
  return (
    <>
      {region}
      <p class="muted">
        The first {maxRows} of {rows.length} are shown.
      </p>
    </>
  );
}

interface TableRowProps extends Pick<TableProps, "head"> {
  readonly cells: readonly Child[];
  readonly id?: string | undefined;
  readonly class?: string;
}

/** Renders a row of a table. The first cell is the heading of the row. */
export function TableRow({ head, cells, id, class: name }: TableRowProps) {
  return (
    <tr id={id} class={name}>
      {cells.map((cell, index) => {
        const [title, kind] = splitColumn(head[index] ?? "");
        return index === 0 ? (
          <th scope="row" class={kind} dir="auto">
            {cell}
          </th>
        ) : (
          <td class={kind} data-label={typeof title === "string" ? title : undefined} dir="auto">
            {cell}
          </td>
        );
      })}
    </tr>
  );
}

function splitColumn(column: TableProps["head"][number]): readonly [title: Child, kind?: string] {
  return typeof column === "string" ? [column] : column;
}

interface DescriptionListProps {
  /** Terms with descriptions. Terms without a description are omitted. */
  readonly of: readonly (readonly [term: Child, description: Child])[];
  readonly class?: string;
}

export function DescriptionList({ of, class: name = "facts" }: DescriptionListProps) {
  return (
    <dl class={name}>
      {of.map(([term, description]) =>
        description === undefined || description === null ? null : (
          <div>
            <dt>{term}</dt>
            <dd dir="auto">{description}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Renders a text, with the parts between backticks as code. */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** Renders the message of an empty list, and what to do next. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

/** Renders a text with a button that copies it. */
export function CopyableText({ text, id }: { readonly text: string; readonly id: string }) {
  return (
    <span class="copyable">
      <code id={id}>{text}</code>
      <button type="button" class="quiet small" data-copy={id}>
        Copy<span class="unseen"> {text}</span>
      </button>
    </span>
  );
}

/** Renders a state with its color. */
export function Badge({ state }: { readonly state: string }) {
  return <span class={`badge ${state}`}>{state.replace("_", " ")}</span>;
}

/** Formats a timestamp to the second. */
export function formatShortTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

/** Formats a timestamp to the millisecond. */
export function formatLongTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace("Z", " UTC");
}

/** Formats an amount in cents. */
export function formatMoney(cents: number, currency: string): string {
  const style = { style: "currency", currency: currency.toUpperCase() } as const;
  return new Intl.NumberFormat("en-US", style).format(cents / 100);
}

/** Capitalizes a name. */
export function toTitleCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Truncates a text to 300 characters. */
export function truncateText(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
