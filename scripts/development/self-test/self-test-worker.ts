import { checks } from "../../../conformance/checks/register.js";
import { mutants, variants } from "../../../conformance/mutants/register.js";
import {
  type MutantResult,
  replayMutant,
  type ReplayResult,
  type SeedResult,
  type SelfTestOptions,
  tryMutant,
  trySeed,
  tryVariant,
  type VariantResult,
} from "../../../conformance/mutants/self-test.js";
import { createEmulator } from "../../../emulator/api/emulator.js";

/** One thing that a process of the self-test is to do. */
export type Task =
  | { readonly kind: "mutant" | "variant"; readonly id: string }
  | { readonly kind: "replay"; readonly found: MutantResult }
  | { readonly kind: "seed"; readonly seed: number };

export interface Order {
  readonly task: Task;
  readonly seed: number;
  readonly runs: number;
}

export type Result =
  | { readonly kind: "mutant"; readonly result: MutantResult }
  | { readonly kind: "variant"; readonly result: VariantResult }
  | { readonly kind: "replay"; readonly result: ReplayResult }
  | { readonly kind: "seed"; readonly result: SeedResult };

// whoever gave the orders is gone
process.on("disconnect", () => process.exit());
process.on("message", (order: Order) => void work(order).then((result) => process.send?.(result)));

async function work({ task, seed, runs }: Order): Promise<Result> {
  const options: SelfTestOptions = {
    checks,
    seed,
    runs,
    subject: async (profile) => {
      const emulator = await createEmulator(profile === undefined ? {} : { profile });
      return { url: "http://localhost", fetch: emulator.fetch, close: emulator.close };
    },
  };
  switch (task.kind) {
    case "mutant":
      return { kind: "mutant", result: await tryMutant(named(mutants, task.id), options) };
    case "variant":
      return { kind: "variant", result: await tryVariant(named(variants, task.id), options) };
    case "replay":
      return {
        kind: "replay",
        result: await replayMutant(named(mutants, task.found.id), task.found, options),
      };
    case "seed":
      return { kind: "seed", result: await trySeed(task.seed, options) };
  }
}

function named<Known extends { readonly id: string }>(all: readonly Known[], id: string): Known {
  const found = all.find((known) => known.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
}
