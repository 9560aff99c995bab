import { vi } from "vitest";
import { runCommandLine } from "../run-command-line.js";
import type { CommandResult } from "./built-command.js";

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a command in this process, if the command ends by itself. Await each command before running the next. Other tests
 * start real processes, to test exit codes and streams.
 */
export async function runInProcess(
  words: readonly string[],
  { cwd = process.cwd(), env = {} }: RunOptions = {},
): Promise<CommandResult> {
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  const before = process.cwd();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  process.chdir(cwd);
  try {
    return { code: (await runCommandLine(words)) ?? 0, ...written };
  } finally {
    process.chdir(before);
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
