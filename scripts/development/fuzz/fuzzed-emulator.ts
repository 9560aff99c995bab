import { createEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/api/emulator.js";
import { quoteName } from "../../../emulator/sqlite/quote-name.js";
import { loadSqlite } from "../../../emulator/sqlite/sqlite.js";
import { fuzzedNamespace } from "./fuzz-requests.js";
import { type FuzzRequest, type FuzzOutcome, sendRequest } from "./fuzz-request.js";

/** The effects of a request. */
export interface Exchange {
  readonly response: FuzzOutcome;
  /** CPU time in milliseconds, without the time that the process had to wait. */
  readonly ms: number;
  /** Whether the data of the fuzzed namespace are different, if they were compared. */
  readonly hasChangedData: boolean;
}

const sqlite = await loadSqlite();

/** A new emulator in this process that listens on a port. */
export class FuzzedEmulator {
  private constructor(
    readonly emulator: Emulator,
    private readonly port: number,
    /** The state of a namespace that requests do not use. */
    private readonly otherState: string,
  ) {}

  static async start(options: EmulatorOptions): Promise<FuzzedEmulator> {
    const emulator = await createEmulator(options);
    const { port } = new URL(await emulator.listen());
    return new FuzzedEmulator(emulator, Number(port), readTables(emulator, otherNamespace));
  }

  async send(request: FuzzRequest, comparesData: boolean): Promise<Exchange> {
    const dataBefore = comparesData ? await this.#readData() : "";
    const before = measureTime();
    const response = await sendRequest(this.port, request);
    const after = measureTime();
    const ms = Math.min(after.wallMs - before.wallMs, after.workMs - before.workMs);
    return { response, ms, hasChangedData: comparesData && (await this.#readData()) !== dataBefore };
  }

  /** Reads the data of the fuzzed namespace, after scheduled changes. */
  async #readData(): Promise<string> {
    await this.emulator.fetch(`/ns/${fuzzedNamespace}/api/v1/plans`);
    return readTables(this.emulator, fuzzedNamespace);
  }

  /** Returns the bytes of a state file with the demo data. */
  exportStateFile(): string {
    return Buffer.from(this.emulator.namespace(otherNamespace).export()).toString("latin1");
  }

  hasChangedOtherNamespace(): boolean {
    return readTables(this.emulator, otherNamespace) !== this.otherState;
  }
}

const otherNamespace = "bystander";

function measureTime() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), workMs: (user + system) / 1000 };
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

/** Returns the rows of all tables of a namespace as text. */
function readTables(emulator: Emulator, namespace: string): string {
  const database = new sqlite.Database(emulator.namespace(namespace).export());
  const [tables] = database.exec("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = (tables?.values ?? []).map(([name]) => String(name));
  const read = (name: string) => database.exec(queriesByTable[name] ?? `SELECT * FROM ${quoteName(name)}`);
  const text = JSON.stringify(names.map((name) => [name, read(name)]));
  database.close();
  return text;
}
