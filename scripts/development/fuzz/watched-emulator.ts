/** An emulator in a process of its own that tells how long its event loop stood still, and how much memory it holds. */
import { createEmulatorWithProcess } from "../../../emulator/api/emulator.js";

/** What the process is asked for: the memory it holds, the longest turn of the event loop. */
export type WatchCommand = "memory" | "longest turn";

export interface WatchReply {
  /** Of one that has just begun. */
  readonly port?: number;
  readonly heapBytes?: number;
  readonly residentBytes?: number;
  /** What a turn worked, not what the machine made it wait. */
  readonly ms?: number;
}

const tickMs = 5;
// as `data-service` serves
const emulator = await createEmulatorWithProcess({ overrideGlobalObjects: true }, {});

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
  if (order === "memory") {
    (globalThis as { readonly gc?: () => void }).gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    return { heapBytes: heapUsed + external, residentBytes: rss };
  }
  const ms = maxMs;
  maxMs = 0;
  return { ms };
}
