import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { WatchCommand, WatchReply } from "./watched-emulator.js";

/** Controls a watched emulator in a separate process. */
export class WatchedProcess {
  readonly #child: ChildProcess;
  #exitReason: string | undefined;
  /** The newest error output, which includes reports of bugs. */
  #printed = "";
  port = 0;

  private constructor(script: URL) {
    this.#child = fork(fileURLToPath(script), {
      execArgv: ["--expose-gc", "--import", "tsx"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    this.#child.once(
      "exit",
      (code, signal) => (this.#exitReason = `it ended with ${String(signal ?? code)}`),
    );
    this.#child.stderr?.on("data", (text: Buffer) => {
      this.#printed = (this.#printed + text.toString()).slice(-4000);
    });
  }

  /** @param script a module that imports `watched-emulator.ts` */
  static async start(script = new URL("watched-emulator.ts", import.meta.url)): Promise<WatchedProcess> {
    const started = new WatchedProcess(script);
    ({ port: started.port = 0 } = await started.#reply());
    return started;
  }

  /** Describes why the process has ended, with its last error output; undefined if it is running. */
  async describeExit(): Promise<string | undefined> {
    // a connection closes before the exit event, and the last output arrives after the event
    await Promise.race([once(this.#child, "close"), delay(1000, undefined, { ref: false })]);
    return this.#exitReason === undefined ? undefined : `${this.#exitReason}:\n${this.takePrinted().trim()}`;
  }

  /** Returns the error output since the last call. */
  takePrinted(): string {
    const printed = this.#printed;
    this.#printed = "";
    return printed;
  }

  async ask(command: WatchCommand): Promise<WatchReply> {
    const reply = this.#reply();
    // without a callback, an error would end this process if the child has just ended
    this.#child.send(command, () => undefined);
    return reply;
  }

  async end(): Promise<void> {
    if (this.#exitReason !== undefined) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }

  #reply(): Promise<WatchReply> {
    return new Promise((resolve, reject) => {
      const onExit = () => reject(new Error("the emulator's process has ended"));
      if (this.#exitReason !== undefined) onExit();
      this.#child.once("exit", onExit);
      this.#child.once("message", (reply: WatchReply) => {
        this.#child.off("exit", onExit);
        resolve(reply);
      });
    });
  }
}
