import { isClientError } from "../../client/is-client-error.js";
import type { Report } from "../../report/report.js";
import { Table } from "../../../openapi/html/components.js";
import type { ReportSection } from "./page.js";

type Cell = Report["accessMatrix"][number];

/** Signs and words for the outcomes of a call, by what the specification says about the caller. */
const outcomes = {
  allowed: { sign: "✓", words: "allowed, and accepted", wrong: "allowed, but refused" },
  refused: { sign: "⊘", words: "not allowed, and refused", wrong: "not allowed, but not refused" },
  open: { sign: "○", words: "left open by the specification", wrong: "" },
} as const;

/** Whether a forbidden call was accepted or an allowed call was refused. */
function isWrong(cell: Cell): boolean {
  return cell.expected === "allowed"
    ? cell.status >= 400
    : cell.expected === "refused" && !isClientError(cell);
}

/** Renders operations by callers: what each caller may do, and what was observed. */
export function renderAccessSection({ accessMatrix, operations }: Report): ReportSection | undefined {
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
          The run made {accessMatrix.length} calls as different callers;{" "}
          {wrong === 0 ? "none had a wrong result" : <b>{wrong} had a wrong result</b>}. Each cell shows the
          response status.
        </p>
        <ul class="legend">
          {Object.entries(outcomes).map(([expected, { sign, words }]) => (
            <li class={`cell ${expected}`}>
              <span aria-hidden="true">{sign}</span> {words}
            </li>
          ))}
          <li class="cell wrong">
            <span aria-hidden="true">✗</span> wrong
          </li>
          <li class="cell">blank: not tried</li>
        </ul>
        <Table
          label="Response status by operation and caller, and whether it is as expected"
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
                    <AccessCell caller={caller} tries={tries.filter((cell) => cell.caller === caller)} />
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

/** Renders one operation for one caller; if the call was tried more than once, a wrong outcome takes precedence. */
function AccessCell({ caller, tries }: { readonly caller: string; readonly tries: readonly Cell[] }) {
  const cell = tries.find(isWrong) ?? tries[0];
  if (cell === undefined) return <td />;
  const { sign, words, wrong } = outcomes[cell.expected];
  return (
    <td class={`cell ${isWrong(cell) ? "wrong" : cell.expected}`} data-label={caller}>
      <span aria-hidden="true">{isWrong(cell) ? "✗" : sign}</span> {cell.status}
      <span class="unseen"> {isWrong(cell) ? wrong : words}</span>
    </td>
  );
}
