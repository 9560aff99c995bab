import type { OperationId } from "../../openapi/operations/register.js";
import { type Json, type Tamper, intercept, changed } from "./intercept.js";
import { type Variant, variant } from "./mutant.js";
import { refusal } from "./tampers.js";

const countLagMs = 300;

/** Shows a figure as it was some time ago. */
export class Delayed {
  readonly #looks = new Map<string, { readonly at: number; readonly value: number }[]>();

  constructor(readonly delayMs: number) {}

  /** What was last seen so long ago; at first it is none. */
  shown(name: string, value: number): number {
    const now = Date.now();
    const looks = [...(this.#looks.get(name) ?? []), { at: now, value }];
    this.#looks.set(name, looks);
    return looks.findLast(({ at }) => at <= now - this.delayMs)?.value ?? 0;
  }
}

/** Where figures stand that count something, and what each of them is the figure of. */
const counts: readonly (readonly [OperationId, (wire: Json, body: Json, late: Delayed) => void])[] = [
  [
    "getRepository",
    ({ path }, body, late) => {
      body.itemCount = late.shown(`repository ${path.repositoryId}`, Number(body.itemCount));
    },
  ],
  [
    "listEntities",
    ({ path }, body, late) => {
      body.totalCount = late.shown(`entities ${path.repositoryId}`, Number(body.totalCount));
    },
  ],
  [
    "listSqlTables",
    (_, body, late) => {
      for (const table of body.tables)
        table.rowCount = late.shown(`table ${table.name}`, Number(table.rowCount));
    },
  ],
  [
    "getUsage",
    (_, body, late) => {
      body.databaseCount = late.shown("databases", Number(body.databaseCount));
    },
  ],
];

const lateCounts: () => Tamper = () => {
  const late = new Delayed(countLagMs);
  return async (wire) =>
    changed(await wire.send(), (body) => {
      for (const [operationId, delay] of counts)
        if (operationId === wire.operationId) delay(wire, body, late);
    });
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
  ...(["repositories", "entities", "sql", "sequences", "billing"] as const).map((area): Variant => ({
    id: `${area}/late-counts`,
    countLagMs: 4 * countLagMs,
    wrap: (fetch) =>
      intercept(
        fetch,
        counts.map(([operationId]) => operationId),
        lateCounts(),
      ),
  })),
  ...([true, false] as const).map((isRefused) =>
    variant(`sql/indexes-${isRefused ? "refuse" : "are-empty"}-at-first`, ["executeSql", "runSqlQuery"]).by(
      indexesInBackground(isRefused),
    ),
  ),
];
