import type { Difference } from "../../report/differences.js";
import { markDifference, type Marked } from "../../report/mark-difference.js";
import type { ReportedComparison } from "../../report/reported-comparison.js";
import { dataTable } from "./data-table.js";
import { html, type Html } from "./html.js";
import { codeBlock } from "./code-block.js";

/** Longer values are cut: `report.json` has them whole. */
const maxValueLength = 20_000;

/** Where two values differ, with the difference marked, and both of them whole. */
export function comparisonView({
  what,
  expected,
  seen,
  differences,
  differenceCount,
}: ReportedComparison): Html {
  const more = differenceCount - differences.length;
  return html`<p class="differs">
      ${what}: ${differenceCount === 1 ? "one difference" : `${differenceCount} differences`}
    </p>
    ${dataTable({ label: "Differences", kind: "differences", columns: ["Place", "Expected", "Seen"], rows: differences.map(row) })}
    ${more > 0 ? html`<p>And in ${more} more.</p>` : undefined}
    <details>
      <summary>Both values</summary>
      <div class="both">
        <div>
          <h5>Expected</h5>
          ${value(expected, "Expected value")}
        </div>
        <div>
          <h5>Seen</h5>
          ${value(seen, "Value seen")}
        </div>
      </div>
    </details>`;
}

function row({ path, expected, seen }: Difference): Html {
  const marked = expected === undefined || seen === undefined ? undefined : markDifference(expected, seen);
  const [left, right] =
    marked === undefined
      ? [whole(expected, "nothing: it should not be there"), whole(seen, "missing")]
      : [parts(marked.expected, "expected"), parts(marked.seen, "seen")];
  return html`<tr>
    <th scope="row">${path === "" ? "the value" : html`<code>${path}</code>`}</th>
    <td data-label="Expected">${left}</td>
    <td data-label="Seen">${right}</td>
  </tr> `;
}

function whole(text: string | undefined, otherwise: string): Html {
  if (text === undefined) return html`<b class="absent">${otherwise}</b>`;
  return html`<code>${text.length > 400 ? `${text.slice(0, 400)}…` : text}</code>`;
}

function parts({ before, differs, after }: Marked, side: "expected" | "seen"): Html {
  // a text that lacks something has nothing to mark
  const mark = differs === "" ? undefined : html`<mark class="${side}">${differs}</mark>`;
  return html`<code>${before}${mark}${after}</code>`;
}

function value(text: string | undefined, label: string): Html {
  if (text === undefined) return html`<p>nothing</p>`;
  return codeBlock(
    text.length > maxValueLength
      ? `${text.slice(0, maxValueLength)}…\n(cut here; report.json has all ${text.length} characters)`
      : text,
    label,
  );
}
