/** Prints what the checks generate: kinds and sizes of values, and optional members that occur together. */
import { Command, InvalidArgumentError } from "commander";
import { selectChecks } from "../../../conformance/run/select-checks.js";
import { runForInputs } from "./run-for-inputs.js";

interface Given {
  readonly only: readonly string[];
  readonly seed: number;
  readonly runs: number;
}

await new Command("generated-inputs")
  .description("Runs checks against an emulator in this process, and counts what they sent and it accepted.")
  .option(
    "--only <id>",
    "area, check or clause; may be given again",
    (value, before: string[]) => [...before, value],
    [],
  )
  .option("--seed <number>", "seed of the checks", readNumber, 1)
  .option("--runs <number>", "how often a property is tried", readNumber, 10)
  .action(print)
  .parseAsync();

async function print({ only, seed, runs }: Given): Promise<void> {
  const { pairs, kinds, deepest } = await runForInputs(selectChecks(only), { seed, runs });
  printTable(
    ["value", "count", "largest"],
    kinds.map(({ kind, count, largest }) => [kind, count, largest]),
  );
  console.log(`\nBodies nest up to ${deepest} levels deep.\n`);
  printTable(
    ["request", "optional members together", "count"],
    pairs.map(({ request, pair, count }) => [request, pair.join(" + "), count === 0 ? "never" : count]),
  );
}

function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of cells)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

function readNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It is a whole number from 1 on.");
  return Number(text);
}
