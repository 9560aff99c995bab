import { html, type Html } from "./html.js";

export interface TableOptions {
  /** What the table is, for those who do not see it. */
  readonly label: string;
  readonly kind?: string;
  /** Titles of the columns; those of numbers begin with `#`. */
  readonly columns: readonly (string | Html)[];
  readonly rows: readonly Html[];
}

/** A table with a scroll box of its own, which keys can reach. */
export function dataTable({ label, kind = "", columns, rows }: TableOptions): Html {
  const head = columns.map((title) =>
    typeof title === "string" && title.startsWith("#")
      ? html`<th scope="col" class="count">${title.slice(1)}</th>`
      : html`<th scope="col">${title}</th>`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="${kind}">
      <caption class="hidden">
        ${label}
      </caption>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** Terms with what is said of each. */
export function reasonList(
  reasons: readonly (readonly [term: string | Html, reason: string | Html])[],
): Html {
  return html`<dl class="reasons">
    ${reasons.map(
      ([term, reason]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${reason}</dd>
        </div> `,
    )}
  </dl>`;
}
