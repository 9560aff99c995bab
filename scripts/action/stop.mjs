/** Last step of the action, at the end of the job: stops the emulator and shows its log. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { STATE_pid: pid, STATE_log: log } = process.env;
if (pid) {
  try {
    // npx and the processes that it started
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", pid, "/t", "/f"]);
    else process.kill(-Number(pid), "SIGTERM");
  } catch (error) {
    process.stdout.write(`the emulator had already ended: ${error.message}\n`);
  }
  process.stdout.write(`::group::Log of the emulator\n${readFileSync(log, "utf8")}::endgroup::\n`);
}
