import { readFileSync } from "node:fs";
import { tryTo } from "../../openapi/text/try-to.js";

/** Whether a process with this id runs on this machine. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // another user's process cannot be signaled, but it exists
    return (error as { readonly code?: string }).code === "EPERM";
  }
}

/** On Linux, whether a process is a zombie. */
function hasEnded(pid: number): boolean {
  const stat = tryTo(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return stat !== undefined && /^\d+ \(.*\) [ZX] /s.test(stat);
}
