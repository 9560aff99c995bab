/**
 * An emulator in a process of its own that tells how long its event loop stood still, how much memory it holds, and what
 * its worlds hold.
 */
import { createHash } from "node:crypto";
import { createEmulatorWithProcess } from "../../../emulator/api/emulator.js";
import { loadSqlite } from "../../../emulator/sqlite/sqlite.js";
import { quoteName } from "../../../emulator/sqlite/quote-name.js";
import { fuzzedNamespace } from "./fuzz-request.js";

/** What the process is asked for: digests of the tables, the memory it holds, the longest turn of the event loop. */
export type WatchCommand = "tables" | "memory" | "longest turn";

export interface WatchReply {
  /** Of one that has just begun. */
  readonly port?: number;
  readonly tables?: Readonly<Record<string, string>>;
  /** With the tables: the clock, and when a renewal, a payment or a deletion is due; in milliseconds since 1970. */
  readonly clock?: number;
  readonly dueAt?: number;
  readonly heapBytes?: number;
  readonly residentBytes?: number;
  /** What a turn worked, not what the machine made it wait. */
  readonly ms?: number;
}

const tickMs = 5;
// as `data-service` serves
const emulator = await createEmulatorWithProcess({ overrideGlobalObjects: true }, {});
const sqlite = await loadSqlite();

let maxMs = 0;
let before = now();
setInterval(() => {
  const { wallMs, workMs } = now();
  maxMs = Math.max(maxMs, Math.min(wallMs - before.wallMs, workMs - before.workMs));
  before = { wallMs, workMs };
}, tickMs);

function now() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), workMs: (user + system) / 1000 };
}

process.on("message", (order: WatchCommand) => {
  process.send?.(reply(order));
  // what was done to answer is not the emulator's
  if (order !== "longest turn") before = now();
});
process.on("disconnect", () => process.exit());
process.send?.({ port: Number(new URL(await emulator.listen()).port) } satisfies WatchReply);

function reply(order: WatchCommand): WatchReply {
  if (order === "tables") return readTables(fuzzedNamespace);
  if (order === "memory") {
    (globalThis as { readonly gc?: () => void }).gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapBytes: heapUsed + external, residentBytes: rss };
  }
  const ms = maxMs;
  maxMs = 0;
  return { ms };
}

/**
 * What goes on with a request that is refused as well: the units that it used, clock and ids, and the result that its
 * token gives from now on.
 */
const leftOut: Readonly<Record<string, string>> = {
  databases:
    "SELECT ref, database_id, name, region, status, settings, item_count, storage_bytes FROM databases",
  meta: "SELECT * FROM meta WHERE name <> 'clockAndIds'",
  request_counts: "SELECT 1",
  transaction_tokens: "SELECT * FROM transaction_tokens WHERE status < 400",
};

/** When something happens without a request, if anything does. */
const dueAtSql =
  "SELECT MIN(at) FROM (SELECT due_at AS at FROM subscriptions UNION ALL SELECT completes_at FROM checkouts " +
  "UNION ALL SELECT ready_at FROM databases WHERE status = 'Deleting')";

/** A digest of each table of an export. */
function readTables(namespace: string): WatchReply {
  const database = new sqlite.Database(emulator.namespace(namespace).export());
  try {
    const [list] = database.exec("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const tables = Object.fromEntries(
      (list?.values ?? []).map(([name]) => {
        const rows = database.exec(leftOut[String(name)] ?? `SELECT * FROM ${quoteName(String(name))}`);
        return [String(name), createHash("sha256").update(JSON.stringify(rows)).digest("hex")];
      }),
    );
    const dueAt = database.exec(dueAtSql)[0]?.values[0]?.[0];
    const clock = Date.parse(emulator.namespace(namespace).clock.get().now);
    return { tables, clock, ...(typeof dueAt === "number" ? { dueAt } : {}) };
  } finally {
    database.close();
  }
}
