import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleModule } from "../build/bundle-module.js";
import type { WatchOrder, WatchReply } from "./watched-emulator.js";

type ReplyTo<Kind extends WatchReply["kind"]> = Extract<WatchReply, { readonly kind: Kind }>;

/** What requests are sent to, and who tells what they did to it. */
export type WatchedProcess = Pick<EmulatorProcess, "port" | "whyGone" | "takePrinted" | "ask" | "end">;

/** A watched emulator in a process of its own. */
export class EmulatorProcess {
  readonly #child: ChildProcess;
  readonly port: number;
  readonly #closed: Promise<unknown>;
  #ended: string | undefined;
  /** What it printed about itself: an emulator that meets a bug says so. */
  #printed = "";

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    child.once("exit", (code, signal) => (this.#ended = `it ended with ${String(signal ?? code)}`));
    this.#closed = once(child, "close");
    child.stderr?.on(
      "data",
      (text: Buffer) => (this.#printed = (this.#printed + text.toString()).slice(-4000)),
    );
  }

  /**
   * @param script a module that does what `watched-emulator.ts` does
   * @param options what Node is told besides
   */
  static async start(script: URL, options: readonly string[] = []): Promise<EmulatorProcess> {
    const child = fork(await bundleScript(script), {
      execArgv: ["--expose-gc", ...options],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const ended = once(child, "exit").then(([code]) => {
      throw new Error(`${script.href} ended with ${String(code)} before it listened`);
    });
    const [{ port }] = (await Promise.race([once(child, "message"), ended])) as [ReplyTo<"listening">];
    ended.catch(() => undefined);
    return new EmulatorProcess(child, port);
  }

  /** Why it is not there any more, with the last that it printed; nothing where it is. */
  async whyGone(): Promise<string | undefined> {
    // a connection breaks off before the end of the process is told, and its last words come after that
    await Promise.race([this.#closed, delay(1000, undefined, { ref: false })]);
    if (this.#ended === undefined) return undefined;
    const printed = this.takePrinted().trim();
    return printed === "" ? this.#ended : `${this.#ended}:\n${printed}`;
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
      // without a callback, a process that has just ended would make this one end as well
      const sent = new Promise<void>((resolve, reject) =>
        this.#child.send(order, (error) => (error === null ? resolve() : reject(error))),
      );
      const [[answer]] = await Promise.all([reply as Promise<[ReplyTo<Kind>]>, sent]);
      return answer;
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

const bundles = new Map<string, Promise<string>>();

/**
 * The path of a script as one file that Node runs as it is: a process of it is there in a fraction of the time that tsx
 * takes to load what it imports. It is made once, and goes with this process.
 */
function bundleScript(script: URL): Promise<string> {
  const bundle = bundles.get(script.href) ?? makeBundle(fileURLToPath(script));
  bundles.set(script.href, bundle);
  return bundle;
}

async function makeBundle(entryPoint: string): Promise<string> {
  // where the packages are found
  const folder = fileURLToPath(new URL(`../../../node_modules/.cache/fuzz-${process.pid}`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, basename(entryPoint).replace(/ts$/, "mjs"));
  await bundleModule(entryPoint, outfile);
  return outfile;
}
