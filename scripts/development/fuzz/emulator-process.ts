import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { bundleScript } from "./bundle-script.js";
import type { WatchOrder, WatchReply } from "./watched-emulator.js";

type ReplyTo<Kind extends WatchReply["kind"]> = Extract<WatchReply, { readonly kind: Kind }>;

/** What requests are sent to, and who tells what they did to it. */
export type WatchedProcess = Pick<EmulatorProcess, "port" | "ended" | "takePrinted" | "ask" | "end">;

/** A watched emulator in a process of its own. */
export class EmulatorProcess {
  readonly #child: ChildProcess;
  readonly port: number;
  #ended: string | undefined;
  /** What it printed about itself: an emulator that meets a bug says so. */
  #printed = "";

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    child.once("exit", (code, signal) => (this.#ended = `it ended with ${String(signal ?? code)}`));
    child.stderr?.on(
      "data",
      (text: Buffer) => (this.#printed = (this.#printed + text.toString()).slice(-4000)),
    );
  }

  /** @param script a module that does what `watched-emulator.ts` does */
  static async start(script: URL): Promise<EmulatorProcess> {
    const child = fork(await bundleScript(script), {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const [{ port }] = (await once(child, "message")) as [ReplyTo<"listening">];
    return new EmulatorProcess(child, port);
  }

  /** Why it is not there any more. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** What it printed since somebody asked. */
  takePrinted(): string {
    const printed = this.#printed;
    this.#printed = "";
    return printed;
  }

  async ask<Kind extends WatchOrder["kind"]>(
    order: Extract<WatchOrder, { readonly kind: Kind }>,
  ): Promise<ReplyTo<Kind>> {
    const gone = new AbortController();
    const onExit = () => gone.abort(new Error("the emulator's process is gone"));
    this.#child.once("exit", onExit);
    try {
      const reply = once(this.#child, "message", { signal: gone.signal });
      this.#child.send(order);
      return ((await reply) as [ReplyTo<Kind>])[0];
    } finally {
      this.#child.off("exit", onExit);
    }
  }

  async end(): Promise<void> {
    if (this.#ended !== undefined) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}
