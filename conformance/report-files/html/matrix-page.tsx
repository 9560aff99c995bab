import { escapeInvisibleInJson } from "../../../openapi/text/escape-invisible.js";
import { type Matrix, formatPassCount } from "../../report/matrix.js";
import { Prose, Table } from "../../../openapi/html/components.js";
import { Badge, CollapsibleSection, renderPage } from "./page.js";

/** Renders certified deployments side by side, as one page. */
export function renderMatrixPage(matrix: Matrix): string {
  const { columns, rows } = escapeInvisibleInJson(matrix);
  return renderPage({
    title: "Deployments by clause",
    header: (
      <header>
        <h1>Deployments by clause</h1>
        <p class="because">Each part shows how many of its clauses passed. Open a part to see its clauses.</p>
      </header>
    ),
    sections: [
      {
        id: "deployments",
        title: "Deployments",
        body: (
          <Table
            label="Deployments"
            head={["Deployment", "Verdict", "Suite", "Date"]}
            rows={columns.map(({ title, verdict, suite, date }) => [title, verdict, suite, date])}
          />
        ),
      },
      {
        id: "clauses",
        title: "Clauses",
        body: rows.map((row) => (
          <CollapsibleSection
            title={`${row.part} ${row.title}`}
            summary={columns
              .map(({ title }, column) => `${title} ${formatPassCount(row, column)}`)
              .join("; ")}
          >
            <Table
              label={`Clauses of part ${row.part}`}
              class="clauses"
              head={["Clause", ...columns.map(({ title }) => title)]}
              rows={row.clauses.map(({ id, statement, states }) => [
                <>
                  <code>{id}</code> <Prose text={statement} />
                </>,
                ...states.map((state) => (state === undefined ? "not known" : <Badge state={state} />)),
              ])}
            />
          </CollapsibleSection>
        )),
      },
    ],
  });
}
