import { isRefused } from "../../client/is-refused.js";
import type { Report } from "../../report/report.js";
import { Table } from "../../../openapi/html/components.js";
import type { Section } from "./page.js";

type Cell = Report["accessMatrix"][number];

/** What came of a pair of an operation and a caller, as the specification has it. */
const outcomes = {
  allowed: { sign: "✓", words: "may, and did", wrong: "may, and was refused" },
  refused: { sign: "⊘", words: "may not, and was refused", wrong: "may not, and was not refused" },
  open: { sign: "○", words: "the specification leaves it open", wrong: "" },
} as const;

/** Whether a caller was let in where the specification shuts it out, or the other way round. */
function isWrong(cell: Cell): boolean {
  return cell.expected === "allowed" ? cell.status >= 400 : cell.expected === "refused" && !isRefused(cell);
}

/** Operations by callers: what each may do, and what was seen. */
export function accessSection({ accessMatrix, operations }: Report): Section | undefined {
  if (accessMatrix.length === 0) return undefined;
  const callers = [...new Set(accessMatrix.map(({ caller }) => caller))];
  const wrong = accessMatrix.filter(isWrong).length;
  return {
    id: "access",
    title: "Who may do what",
    note: wrong === 0 ? undefined : `${wrong} wrong`,
    body: (
      <>
        <p>
          {accessMatrix.length} pairs of an operation and a caller were tried;{" "}
          {wrong === 0 ? "none came out wrong" : <b>{wrong} came out wrong</b>}. Each cell shows the status
          that came.
        </p>
        <ul class="legend">
          {Object.entries(outcomes).map(([expected, { sign, words }]) => (
            <li class={`cell ${expected}`}>
              <span aria-hidden="true">{sign}</span> {words}
            </li>
          ))}
          <li class="cell wrong">
            <span aria-hidden="true">✗</span> not as it should be
          </li>
          <li class="cell">blank: not tried</li>
        </ul>
        <Table
          label="Operations by callers: the status, and whether it is the expected one"
          class="access"
          head={["Operation", ...callers.map((caller) => [<span>{caller}</span>] as const)]}
        >
          {operations.map(({ operationId }) => {
            const tries = accessMatrix.filter((cell) => cell.operationId === operationId);
            return (
              tries.length > 0 && (
                <tr>
                  <th scope="row">
                    <code>{operationId}</code>
                  </th>
                  {callers.map((caller) => (
                    <CellOf tries={tries.filter((cell) => cell.caller === caller)} />
                  ))}
                </tr>
              )
            );
          })}
        </Table>
      </>
    ),
  };
}

/** One pair; what came out wrong counts most when it was tried more than once. */
function CellOf({ tries }: { readonly tries: readonly Cell[] }) {
  const cell = tries.find(isWrong) ?? tries[0];
  if (cell === undefined) return <td />;
  const { sign, words, wrong } = outcomes[cell.expected];
  return (
    <td class={`cell ${isWrong(cell) ? "wrong" : cell.expected}`}>
      <span aria-hidden="true">{isWrong(cell) ? "✗" : sign}</span> {cell.status}
      <span class="unseen"> {isWrong(cell) ? wrong : words}</span>
    </td>
  );
}
