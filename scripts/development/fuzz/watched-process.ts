import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { WatchCommand, WatchReply } from "./watched-emulator.js";

/** A watched emulator in a process of its own. */
export class WatchedProcess {
  readonly #child: ChildProcess;
  #ended: string | undefined;
  /** What it printed about itself: an emulator that meets a bug says so. */
  #printed = "";
  port = 0;

  private constructor(script: URL) {
    this.#child = fork(fileURLToPath(script), {
      execArgv: ["--expose-gc", "--import", "tsx"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.once("exit", (code, signal) => (this.#ended = `it ended with ${String(signal ?? code)}`));
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#printed = (this.#printed + text.toString()).slice(-4000);
    });
  }

  /** @param script a module that does what `watched-emulator.ts` does */
  static async start(script = new URL("watched-emulator.ts", import.meta.url)): Promise<WatchedProcess> {
    const started = new WatchedProcess(script);
    ({ port: started.port = 0 } = await started.#reply());
    return started;
  }

  /** Why it is not there any more, with the last that it printed; nothing where it is. */
  async whyGone(): Promise<string | undefined> {
    // a connection breaks off before the end of the process is told, and its last words come after that
    await Promise.race([once(this.#child, "close"), delay(1000, undefined, { ref: false })]);
    return this.#ended === undefined ? undefined : `${this.#ended}:\n${this.takePrinted().trim()}`;
  }

  /** What it printed since somebody asked. */
  takePrinted(): string {
    const printed = this.#printed;
    this.#printed = "";
    return printed;
  }

  async ask(order: WatchCommand): Promise<WatchReply> {
    const reply = this.#reply();
    // without a callback, a process that has just ended would make this one end as well
    this.#child.send(order, () => undefined);
    return reply;
  }

  async end(): Promise<void> {
    if (this.#ended !== undefined) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }

  #reply(): Promise<WatchReply> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error("the emulator's process is gone"));
      if (this.#ended !== undefined) onExit();
      this.#child.once("exit", onExit);
      this.#child.once("message", (reply: WatchReply) => {
        this.#child.off("exit", onExit);
        resolve(reply);
      });
    });
  }
}
