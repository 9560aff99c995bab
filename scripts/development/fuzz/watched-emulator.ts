/** An emulator in a separate process that reports its longest event-loop turn, its memory use, and hashes of its tables. */
import { createHash } from "node:crypto";
import { createEmulatorWithProcess } from "../../../emulator/api/emulator.js";
import { loadSqlite } from "../../../emulator/sqlite/sqlite.js";
import { quoteName } from "../../../emulator/sqlite/quote-name.js";
import { fuzzedNamespace } from "./fuzz-request.js";

/** What the process reports: hashes of the tables, memory use, or the longest turn of the event loop. */
export type WatchCommand = "tables" | "memory" | "longest turn";

export interface WatchReply {
  /** In the first message, the port of the emulator. */
  readonly port?: number;
  readonly tables?: Readonly<Record<string, string>>;
  /** With the tables, the time in milliseconds since 1970. */
  readonly clock?: number;
  /** With the tables, the time of the next renewal, payment or deletion. */
  readonly dueAt?: number;
  readonly heapBytes?: number;
  readonly residentBytes?: number;
  /** CPU time of the longest turn, without the time that the process had to wait. */
  readonly ms?: number;
}

const tickMs = 5;
// like the command `data-service`
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

process.on("message", (command: WatchCommand) => {
  process.send?.(reply(command));
  // exclude the time for the reply
  if (command !== "longest turn") before = now();
});
process.on("disconnect", () => process.exit());
process.send?.({ port: Number(new URL(await emulator.listen()).port) } satisfies WatchReply);

function reply(command: WatchCommand): WatchReply {
  if (command === "tables") return hashTables();
  if (command === "memory") {
    (globalThis as { readonly gc?: () => void }).gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapBytes: heapUsed + external, residentBytes: rss };
  }
  const ms = maxMs;
  maxMs = 0;
  return { ms };
}

/**
 * Queries that omit what rejected requests also change: usage figures, the clock and ids, and stored results of failed
 * transactions.
 */
const queriesByTable: Readonly<Record<string, string>> = {
  databases:
    "SELECT ref, database_id, name, region, status, settings, item_count, storage_bytes FROM databases",
  meta: "SELECT * FROM meta WHERE name <> 'clockAndIds'",
  request_counts: "SELECT 1",
  transaction_tokens: "SELECT * FROM transaction_tokens WHERE status < 400",
};

/** Returns the time of the next scheduled change. */
const dueAtSql =
  "SELECT MIN(at) FROM (SELECT due_at AS at FROM subscriptions UNION ALL SELECT completes_at FROM checkouts " +
  "UNION ALL SELECT ready_at FROM databases WHERE status = 'Deleting')";

/** Hashes each table of the fuzzed namespace. */
function hashTables(): WatchReply {
  const namespace = emulator.namespace(fuzzedNamespace);
  const database = new sqlite.Database(namespace.export());
  try {
    const [list] = database.exec("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const tables = Object.fromEntries(
      (list?.values ?? []).map(([name]) => {
        const rows = database.exec(
          queriesByTable[String(name)] ?? `SELECT * FROM ${quoteName(String(name))}`,
        );
        return [String(name), createHash("sha256").update(JSON.stringify(rows)).digest("hex")];
      }),
    );
    const dueAt = database.exec(dueAtSql)[0]?.values[0]?.[0];
    const clock = Date.parse(namespace.clock.get().now);
    return { tables, clock, ...(typeof dueAt === "number" ? { dueAt } : {}) };
  } finally {
    database.close();
  }
}
