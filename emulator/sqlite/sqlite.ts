import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Database, InitSqlJsStatic, SqlJsStatic } from "sql.js";
import { findPackagedFile } from "../../openapi/packaged/find-packaged-file.js";

const require = createRequire(import.meta.url);
/** The part of WebAssembly that is used here: Node's types mention it, but do not define it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: object };
    readonly Memory: new () => { readonly buffer: ArrayBuffer };
  };
};

let engine: Promise<SqlJsStatic> | undefined;
/** The heap of all databases of the process: it grows up to 2 GB and never shrinks, but freed memory is reused. */
let heap: { readonly buffer: ArrayBuffer } | undefined;
/** Below this size, there is room in the heap. */
const largeHeapBytes = 1024 * 1024 * 1024;

/** Whether the heap is so large that an allocation may fail. */
export function isHeapLarge(): boolean {
  return heap !== undefined && heap.buffer.byteLength >= largeHeapBytes;
}

/** Whether SQLite can allocate this many more bytes. If an allocation fails, it rolls back everything uncommitted. */
export function canAllocate(sqlite: SqlJsStatic, bytes: number): boolean {
  if (!isHeapLarge()) return true;
  const { _malloc, _free } = sqlite as unknown as Record<"_malloc" | "_free", (value: number) => number>;
  const taken = _malloc(bytes);
  if (taken !== 0) _free(taken);
  return taken !== 0;
}

/** Loads SQLite once per process. */
export function loadSqlite(): Promise<SqlJsStatic> {
  // of 30 MB of files the package has two; and an import would have Node read the whole text for its exports first
  const initSqlJs = require(findPackagedFile("sqlite/sql-wasm.cjs") ?? "sql.js") as InitSqlJsStatic;
  return (engine ??= initialize(initSqlJs));
}

/** Has sql.js give text back whole: the decoder that it makes here takes a leading U+FEFF for a mark, and drops it. */
function initialize(initSqlJs: InitSqlJsStatic): Promise<SqlJsStatic> {
  const { TextDecoder } = globalThis;
  globalThis.TextDecoder = class extends TextDecoder {
    constructor() {
      super("utf-8", { ignoreBOM: true });
    }
  };
  try {
    return initSqlJs({ instantiateWasm: instantiate });
  } finally {
    globalThis.TextDecoder = TextDecoder;
  }
}

/** Compiles what is used of SQLite; left to itself, sql.js has all of it compiled first, which takes much longer. */
function instantiate(imports: object, ready: (instance: object) => void): object {
  const bytes = readFileSync(
    findPackagedFile("sqlite/sql-wasm.wasm") ?? require.resolve("sql.js/dist/sql-wasm.wasm"),
  );
  const instance = new wasm.Instance(new wasm.Module(bytes), imports);
  heap = Object.values(instance.exports).find((value) => value instanceof wasm.Memory);
  ready(instance);
  return instance.exports;
}

/** What a database keeps beside its file: pages that were written wait here until they have to go there. */
export const pageCacheBytes = 16 * 1024 * 1024;

/**
 * Opens a database held in memory, empty or from the bytes of a SQLite file. The file lives in an emulated file
 * system that no other process sees, so locking and syncing would only cost time.
 */
export function openDatabase(sqlite: SqlJsStatic, bytes?: Uint8Array): Database {
  // SQLite's file system copies with `slice`, which on a Buffer is a view: it would write into the caller's bytes
  const own =
    bytes === undefined ? undefined : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const database = new sqlite.Database(own);
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
