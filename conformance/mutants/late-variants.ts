import type { OperationId } from "../../openapi/operations/register.js";
import { type Tamper, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { refusal, answering } from "./tampers.js";

const countLagMs = 300;

/** Remembers figures, and shows each as it was last seen so long ago; at first it is 0. */
function delayFigures(delayMs: number): (name: string, value: number) => number {
  const looks = new Map<string, { readonly at: number; readonly value: number }[]>();
  return (name, value) => {
    const now = Date.now();
    const seen = [...(looks.get(name) ?? []), { at: now, value }];
    looks.set(name, seen);
    return seen.findLast(({ at }) => at <= now - delayMs)?.value ?? 0;
  };
}

/** The figures that count something, where they stand alone. */
const counts: Readonly<Partial<Record<OperationId, string>>> = {
  getRepository: "itemCount",
  listEntities: "totalCount",
  getUsage: "databaseCount",
};

/** Shows figures as they were some time ago. */
const delayingCounts = (delayMs: number) => (): Tamper => {
  const late = delayFigures(delayMs);
  return answering((body, { operationId, path }) => {
    for (const table of body.tables ?? [])
      table.rowCount = late(`table ${table.name}`, Number(table.rowCount));
    const field = counts[operationId];
    if (field !== undefined) body[field] = late(`${field} ${path.repositoryId}`, Number(body[field]));
  })();
};

const buildMs = 250;

/** An index serves some time after it was made: until then WHERE on its column is refused, or finds what was there before. */
const indexesInBackground =
  (isRefused: boolean): (() => Tamper) =>
  () => {
    const building = new Map<string, number>();
    return async (wire) => {
      const sql = String(wire.body?.sql);
      const [, table = "", column = ""] =
        /^CREATE (?:UNIQUE )?INDEX \S+ ON (\S+) \(([^)]*)\)/i.exec(sql) ?? [];
      if (column !== "") building.set(`${table} ${column}`, Date.now() + buildMs);
      const [, from = "", where = ""] = /^SELECT .* FROM (\S+) WHERE (.*)$/is.exec(sql) ?? [];
      const isBuilding = [...building].some(([name, until]) => {
        const [of = "", by = ""] = name.split(" ");
        return of === from && Date.now() < until && new RegExp(`\\b${by} =`).test(where);
      });
      if (!isBuilding) return wire.send();
      if (isRefused) return sqlRefusal;
      return changed(await wire.send(), (body) => {
        Object.assign(body, { rows: [], rowCount: 0, nextPageToken: null });
      });
    };
  };

const sqlRefusal = {
  ...refusal(400),
  body: { code: "SQL_EXECUTION_ERROR", message: "The index is being built.", details: "" },
};

/** Figures that lag, and indexes that are built behind the answer. */
export const lateVariants: readonly Variant[] = [
  ...variantIn(
    ["repositories", "entities", "sql", "sequences", "billing"],
    "late-counts",
    ["getRepository", "listEntities", "listSqlTables", "getUsage"],
    { countLagMs: 4 * countLagMs },
  ).by(delayingCounts(countLagMs)),
  variant("entities/counts-later", ["getRepository", "listEntities"]).by(delayingCounts(500)),
  ...([true, false] as const).map((isRefused) =>
    variant(`sql/indexes-${isRefused ? "refuse" : "are-empty"}-at-first`, ["executeSql", "runSqlQuery"]).by(
      indexesInBackground(isRefused),
    ),
  ),
];
