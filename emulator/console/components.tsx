import type { Child } from "hono/jsx";

/** What a list says when it is empty, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      <p>{children}</p>
    </div>
  );
}

type Column = string | readonly [title: string, className: string];

interface TableProps {
  readonly label: string;
  readonly head: readonly Column[];
  /** The cells of each row, the first of which names it. */
  readonly rows: readonly (readonly Child[])[];
  /** What stands in place of a table without rows. */
  readonly empty?: Child;
}

/** A table that scrolls by itself, for eyes and for keys. */
export function Table({ label, head, rows, empty }: TableProps) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const columns = head.map((column) => (typeof column === "string" ? [column] : column));
  return (
    <div class="scroll" role="region" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>{columns.map(([title]) => (title === "" ? <td /> : <th scope="col">{title}</th>))}</tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th scope="row" class={columns[index]?.[1]} dir="auto">
                    {cell}
                  </th>
                ) : (
                  <td class={columns[index]?.[1]} dir="auto">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FactsProps {
  /** Names with what is so; a fact that is null is left out. */
  readonly facts: readonly (readonly [name: string, value: Child])[];
  readonly class?: string;
}

/** What is known of one thing. */
export function Facts({ facts, class: name = "facts" }: FactsProps) {
  return (
    <dl class={name}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([fact, value]) => (
          <>
            <dt>{fact}</dt>
            <dd dir="auto">{value}</dd>
          </>
        ))}
    </dl>
  );
}

/** A text to copy. */
export function Copyable({ text, id }: { readonly text: string; readonly id: string }) {
  return (
    <span class="copyable">
      <code id={id}>{text}</code>
      <button type="button" class="quiet small" data-copy={id}>
        Copy<span class="unseen"> {text}</span>
      </button>
    </span>
  );
}

/** A timestamp as people read it, to the second. */
export function shortTime(timestamp: string): string {
  return timestamp.replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

/** An amount of cents as people read it. */
export function money(cents: number, currency: string): string {
  const style = { style: "currency", currency: currency.toUpperCase() } as const;
  return new Intl.NumberFormat("en-US", style).format(cents / 100);
}

/** The name of a plan as a title has it. */
export function planTitle(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
