import type { Child } from "hono/jsx";

interface TableProps {
  /** What the table is, for those who do not see it. */
  readonly label: string;
  readonly class?: string;
  /** Titles of the columns, with the class of cells that need one. */
  readonly head: readonly (string | readonly [title: Child, kind?: string])[];
  /** The cells of each row, the first of which names it. */
  readonly rows?: readonly (readonly Child[])[];
  /** The id of each row that has one. */
  readonly ids?: readonly string[];
  /** What stands in place of a table without rows. */
  readonly empty?: Child;
  /** Attributes of the body, for rows that come in later. */
  readonly body?: Readonly<Record<string, string>>;
  /** Rows of another form. */
  readonly children?: Child;
}

/** A table that scrolls by itself, for eyes and for keys; on a narrow screen each row is a list. */
export function Table({
  label,
  class: name,
  head,
  rows = [],
  ids = [],
  empty,
  body = {},
  children,
}: TableProps) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const columns = head.map((column) => (typeof column === "string" ? ([column] as const) : column));
  return (
    <div class="scroll" role="region" aria-label={label} tabindex={0}>
      <table class={name}>
        <thead>
          <tr>
            {columns.map(([title, kind]) =>
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
          {rows.map(([first, ...cells], row) => (
            <tr id={ids[row]}>
              <th scope="row" class={columns[0]?.[1]} dir="auto">
                {first}
              </th>
              {cells.map((cell, index) => {
                const [title, kind] = columns[index + 1] ?? [];
                return (
                  <td class={kind} data-label={typeof title === "string" ? title : undefined} dir="auto">
                    {cell}
                  </td>
                );
              })}
            </tr>
          ))}
          {children}
        </tbody>
      </table>
    </div>
  );
}

interface TermsProps {
  /** Terms with what is said of each; those of which nothing is said are left out. */
  readonly of: readonly (readonly [term: Child, said: Child])[];
  readonly class?: string;
}

/** Terms with what is said of each. */
export function DescriptionList({ of, class: name = "facts" }: TermsProps) {
  return (
    <dl class={name}>
      {of.map(([term, said]) =>
        said === undefined || said === null ? null : (
          <div>
            <dt>{term}</dt>
            <dd dir="auto">{said}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A text whose parts between backticks are code. */
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** What a list says when it is empty, and what to do next. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

/** A text to copy. */
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

/** A state in its colour. */
export function Badge({ state }: { readonly state: string }) {
  return <span class={`badge ${state}`}>{state.replace("_", " ")}</span>;
}

/** A timestamp as people read it, to the second. */
export function formatShortTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

/** A timestamp as people read it, to the millisecond. */
export function formatLongTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace("Z", " UTC");
}

/** An amount of cents as people read it. */
export function formatMoney(cents: number, currency: string): string {
  const style = { style: "currency", currency: currency.toUpperCase() } as const;
  return new Intl.NumberFormat("en-US", style).format(cents / 100);
}

/** A name as a title has it. */
export function toTitleCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What a row of a table holds of a long text. */
export function truncateText(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
