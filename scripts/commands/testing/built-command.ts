import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The built command; `scripts/acceptance/testing/build-once.ts` makes sure that it matches the sources. */
export const builtCommand = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface LaunchOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: "ignore" | "pipe";
  /** Options for Node. */
  readonly node?: readonly string[];
}

/** Runs `data-service` in separate processes until `killAll` is called. */
export class Launcher {
  readonly #running = new Set<ChildProcess>();

  launch(args: readonly string[], { cwd, env = {}, stdin = "ignore", node = [] }: LaunchOptions) {
    const child = this.add(
      spawn(process.execPath, [...node, builtCommand, ...args], {
        stdio: [stdin, "pipe", "pipe"],
        cwd,
        env: { ...process.env, ...env },
      }),
    );
    let stdout = "";
    let stderr = "";
    const ended = new Promise<CommandResult>((resolve) =>
      child.on("close", (code) => resolve({ code, stdout, stderr })),
    );
    const firstLine = new Promise<string>((resolve, reject) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
        if (stdout.includes("\n")) resolve(stdout.slice(0, stdout.indexOf("\n")));
      });
      child.on("close", () => reject(new Error(`ended before its first line: ${stderr}`)));
    });
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    // callers that do not use `firstLine` must not get an unhandled rejection
    firstLine.catch(() => undefined);
    return { child, ended, firstLine, shown: () => stdout, shownErrors: () => stderr };
  }

  /** Registers another process that must end with the test. */
  add<Child extends ChildProcess>(child: Child): Child {
    this.#running.add(child);
    return child;
  }

  killAll(): void {
    for (const child of this.#running) child.kill("SIGKILL");
    this.#running.clear();
  }
}
