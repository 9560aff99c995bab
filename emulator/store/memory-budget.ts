import { totalmem } from "node:os";
import type { SqlJsStatic } from "sql.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { canAllocate, isHeapLarge } from "../sqlite/sqlite.js";

/** The memory that one request may need in SQLite's heap for pages that may be rolled back. */
const heapBytesPerRequest = 256 * 1024 * 1024;

/** Limits the memory of all worlds and snapshots of an emulator. */
export class MemoryBudget {
  #used = 0;

  constructor(
    private readonly sqlite: SqlJsStatic,
    private readonly max: number = defaultMemoryBytes(),
  ) {}

  /** Whether even a small request must be checked. */
  get isNearlyFull(): boolean {
    return this.#used >= this.max || isHeapLarge();
  }

  /** Counts memory that was allocated or freed. */
  change(bytes: number): void {
    this.#used += bytes;
  }

  /** @throws a problem `limit-reached` if this many more bytes exceed the budget */
  assertRoom(bytes: number): void {
    if (this.#used + bytes > this.max)
      throw new Problem(
        "limit-reached",
        `Together, all namespaces and snapshots can use at most ${formatMegabytes(this.max)} MB of memory. They use ` +
          `${formatMegabytes(this.#used)} MB, and this request needs ${formatMegabytes(bytes)} MB more. ${remedy}, or start the emulator with a larger --max-memory.`,
      );
    if (!canAllocate(this.sqlite, heapBytesPerRequest)) throw createHeapProblem();
  }
}

/** Creates the problem that SQLite has no more memory. */
export function createHeapProblem(): Problem {
  return new Problem(
    "limit-reached",
    `All of SQLite's memory (2 GB for all namespaces) is in use. ${remedy}.`,
  );
}

const remedy = "Reset or delete namespaces, or delete snapshots";

/** Returns at most half of the memory of this process. A container may have less memory than its machine. */
function defaultMemoryBytes(): number {
  // Without a limit, this is 0 or more than the machine's memory.
  const constrained = process.constrainedMemory();
  const available = Math.min(totalmem(), constrained > 0 ? constrained : Infinity);
  return Math.min(emulatorLimits.memoryBytes, Math.floor(available / 2));
}

function formatMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1024 / 1024).toLocaleString("en");
}
