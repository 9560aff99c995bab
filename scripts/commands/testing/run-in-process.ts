import { vi } from "vitest";
import { runCommandLine } from "../run-command-line.js";
import type { CommandResult } from "./built-command.js";

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a command in this process, one after the other: a refusal, or one that prints something and is done. That a
 * process ends with the code and writes to its streams, a few real ones show.
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
