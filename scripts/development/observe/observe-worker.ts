import { mutants } from "../../../conformance/mutants/register.js";
import { type Observed, observeKnown } from "../../../conformance/observe/self-test.js";
import type { GapId } from "../../../openapi/gaps/register.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { answersOfMutants } from "./answers-of-mutants.js";
import { hauntedMutants, hidingMutants } from "./hiding-mutants.js";
import { ObservedEmulator } from "./observed-emulator.js";

/** One deployment to be observed: the emulator with a profile, or with a fault. */
export type ObserveTask =
  | { readonly kind: "profile"; readonly number: number; readonly profile: Profile }
  | { readonly kind: "mutant"; readonly id: string };

export interface ObserveOrder {
  readonly task: ObserveTask;
  readonly only: readonly GapId[] | undefined;
}

export interface ObserveResult extends Partial<Observed> {
  readonly name: string;
  /** Why nothing could be observed at all. */
  readonly trouble?: string;
  /** What is still in the world, which the clean-up could not see. */
  readonly unseen?: readonly string[];
  readonly durationMs: number;
}

let emulator: Promise<ObservedEmulator> | undefined;

// whoever gave the orders is gone
process.on("disconnect", () => process.exit());
process.on("message", (order: ObserveOrder) => void work(order).then((result) => process.send?.(result)));

async function work({ task, only }: ObserveOrder): Promise<ObserveResult> {
  const prepared = await (emulator ??= ObservedEmulator.prepare());
  const started = performance.now();
  const chosen = only === undefined ? {} : { only };
  const name = task.kind === "profile" ? `profile ${task.number}` : task.id;
  const known = { ...defaultProfile, ...answersOfMutants[name] };
  try {
    const [profile, expected, strict] =
      task.kind === "profile" ? [task.profile, task.profile, true] : [defaultProfile, known, false];
    const observed = await prepared.withRun(
      profile,
      async (run, left) => {
        const seen = await observeKnown(run, expected, { ...chosen, strict });
        const there = await left();
        const isSaid = (thing: string) =>
          seen.staying.includes(thing) || seen.left.some((said) => said.startsWith(`${thing}:`));
        return {
          ...seen,
          left: seen.left.filter(
            (said) => !(name in hauntedMutants) || there.some((thing) => said.startsWith(`${thing}:`)),
          ),
          unseen: there.filter((thing) => !(name in hidingMutants || isSaid(thing))),
        };
      },
      task.kind === "mutant" ? mutants.find(({ id }) => id === task.id)?.wrap : undefined,
    );
    return { name, ...observed, durationMs: performance.now() - started };
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    return { name, trouble, durationMs: performance.now() - started };
  }
}
