import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Database, InitSqlJsStatic, SqlJsStatic } from "sql.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";

const require = createRequire(import.meta.url);
/** The part of WebAssembly that is used here. Node's types do not define it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
    readonly Memory: new () => { readonly buffer: ArrayBuffer };
  };
};

let engine: Promise<SqlJsStatic> | undefined;
/** The heap of all databases of the process. It grows up to 2 GB and never shrinks, but freed memory is reused. */
let heap: { readonly buffer: ArrayBuffer } | undefined;
/** Below this size, the heap can grow. */
const largeHeapBytes = 1024 * 1024 * 1024;

/** Whether the heap is so large that an allocation may fail. */
export function isHeapLarge(): boolean {
  return heap !== undefined && heap.buffer.byteLength >= largeHeapBytes;
}

/** Whether SQLite can allocate this many more bytes. If an allocation fails, SQLite rolls back everything uncommitted. */
export function canAllocate(sqlite: SqlJsStatic, bytes: number): boolean {
  if (!isHeapLarge()) return true;
  const { _malloc, _free } = sqlite as unknown as Record<"_malloc" | "_free", (value: number) => number>;
  const address = _malloc(bytes);
  if (address !== 0) _free(address);
  return address !== 0;
}

/** Loads SQLite once per process. */
export function loadSqlite(): Promise<SqlJsStatic> {
  // The package contains only two of sql.js's files. An import would take longer, because Node would search for exports.
  const initSqlJs = require(findPackagedFile("sqlite/sql-wasm.cjs") ?? "sql.js") as InitSqlJsStatic;
  return (engine ??= initialize(initSqlJs));
}

/** Initializes sql.js with a decoder that keeps a leading U+FEFF. By default, its decoder drops it as a byte order mark. */
function initialize(initSqlJs: InitSqlJsStatic): Promise<SqlJsStatic> {
  const { TextDecoder } = globalThis;
  // In the realms of some test runners, assigning a global fails.
  const setTextDecoder = (value: typeof TextDecoder) =>
    Object.defineProperty(globalThis, "TextDecoder", { value, configurable: true, writable: true });
  setTextDecoder(
    class extends TextDecoder {
      constructor() {
        super("utf-8", { ignoreBOM: true });
      }
    },
  );
  try {
    return initSqlJs({ instantiateWasm: instantiate });
  } finally {
    setTextDecoder(TextDecoder);
  }
}

/** Instantiates SQLite so that functions are compiled when they are used. By default, sql.js compiles all of them first. */
function instantiate(imports: object, ready: (instance: object) => void): object {
  const bytes = readFileSync(
    findPackagedFile("sqlite/sql-wasm.wasm") ?? require.resolve("sql.js/dist/sql-wasm.wasm"),
  );
  const instance = new wasm.Instance(new wasm.Module(bytes), imports);
  heap = Object.values(instance.exports).find((value) => value instanceof wasm.Memory);
  ready(instance);
  return instance.exports;
}

/** The size of a database's page cache, which contains changed pages before they are written to the file. */
export const pageCacheBytes = 16 * 1024 * 1024;

/**
 * Opens a database in memory, which is empty or has the bytes of a SQLite file. No other process can see it, so locking and
 * syncing are turned off.
 */
export function openDatabase(sqlite: SqlJsStatic, bytes?: Uint8Array): Database {
  // sql.js copies the bytes with `slice`, which does not copy a Buffer.
  const copyable =
    bytes === undefined ? undefined : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const database = new sqlite.Database(copyable);
  database.run(
    "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY; " +
      `PRAGMA cache_size=-${pageCacheBytes / 1024};`,
  );
  return database;
}

/** Reads the page size from the header of a SQLite file, where 1 stands for 65,536. */
export function readPageSize(file: Uint8Array): number {
  const given = ((file[16] ?? 0) << 8) | (file[17] ?? 0);
  return given === 1 ? 65_536 : given;
}
