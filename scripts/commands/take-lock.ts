import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning } from "./write-file-atomically.js";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** The lock of another machine, as in another container, counts as left behind when it is older. */
const lockAgeMs = 10_000;

/**
 * Takes a lock until the process ends.
 *
 * @param file says who holds it
 * @throws Error that names the emulator that holds it
 */
export function takeLock(file: string): void {
  const holder = holderOf(file);
  if (holder !== undefined)
    throw new Error(
      `the emulator with the process id ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`} uses it`,
    );
  rmSync(file, { force: true });
  const own: Holder = { pid: process.pid, host: hostname() };
  writeFileSync(file, JSON.stringify(own), { flag: "wx" });
  setInterval(() => touch(file), lockAgeMs / 4).unref();
  process.on("exit", () => rmSync(file, { force: true }));
}

/** An emulator that runs and holds a lock. */
function holderOf(file: string): Holder | undefined {
  let holder: Holder;
  try {
    holder = JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
  const isHeld =
    holder.host === hostname()
      ? holder.pid !== process.pid && isRunning(holder.pid)
      : Date.now() - statSync(file).mtimeMs < lockAgeMs;
  return isHeld ? holder : undefined;
}

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // a folder that was removed is told when it is written to
  }
}
