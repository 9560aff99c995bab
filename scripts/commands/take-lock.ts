import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { tryTo } from "../../openapi/text/try-to.js";
import { isProcessRunning } from "./write-file-atomically.js";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** Age, in milliseconds, at which a lock of another machine or container counts as left behind. */
const lockAgeMs = 10_000;

/**
 * Takes a lock until the process ends.
 *
 * @param file the lock file, which names the holder
 * @throws Error when another emulator holds the lock
 */
export function takeLock(file: string): void {
  const holder = holderOf(file);
  if (holder !== undefined)
    throw new Error(
      `another emulator (process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`}) is using it`,
    );
  rmSync(file, { force: true });
  const own: Holder = { pid: process.pid, host: hostname() };
  writeFileSync(file, JSON.stringify(own), { flag: "wx" });
  // if the folder was removed, the next write reports it
  setInterval(() => tryTo(() => utimesSync(file, new Date(), new Date())), lockAgeMs / 4).unref();
  process.on("exit", () => rmSync(file, { force: true }));
}

/** Returns the running emulator that holds a lock. */
function holderOf(file: string): Holder | undefined {
  const holder = tryTo(() => JSON.parse(readFileSync(file, "utf8")) as Holder);
  if (holder === undefined) return undefined;
  const isHeld =
    holder.host === hostname()
      ? holder.pid !== process.pid && isProcessRunning(holder.pid)
      : Date.now() - statSync(file).mtimeMs < lockAgeMs;
  return isHeld ? holder : undefined;
}
