import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isProcessRunning } from "./is-process-running.js";

it.runIf(process.platform === "linux")("takes a process for ended before its parent notices", async () => {
  // the shell is replaced with a program that does not wait for its child
  const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 100"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  await expect.poll(() => isProcessRunning(Number(line.toString()))).toBe(false);
  expect(isProcessRunning(parent.pid ?? 0)).toBe(true);
  parent.kill();
});
