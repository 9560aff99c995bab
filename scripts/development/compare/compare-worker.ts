import { areaOf } from "../../../conformance/check/check.js";
import {
  compareKnown,
  type KnownComparison,
  type KnownTarget,
  recordKnown,
} from "../../../conformance/compare/self-test.js";
import type { RecordedHistories } from "../../../conformance/compare/record-histories.js";
import { allSubjects, selectSubjects } from "../../../conformance/compare/select-subjects.js";
import type { Mutant } from "../../../conformance/mutants/mutant.js";
import { mutants } from "../../../conformance/mutants/register.js";
import { createEmulator, type Emulator } from "../../../emulator/api/emulator.js";
import type { GapAnswer } from "../../../openapi/gaps/gap.js";
import { gapIds, type GapId } from "../../../openapi/gaps/register.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { disguised } from "./disguise.js";

/** One comparison whose end is known beforehand. */
export type CompareTask =
  /** An emulator with itself: no difference. */
  | { readonly kind: "same"; readonly seed: number; readonly profile: Profile }
  /** An emulator with one that has other ids, cursors, times and an order of members of its own: no difference. */
  | { readonly kind: "disguised"; readonly seed: number }
  /** An emulator with one that answers one question otherwise: a difference. */
  | { readonly kind: "gap"; readonly gap: GapId; readonly answer: GapAnswer }
  /** An emulator with one that has a fault: a difference. */
  | { readonly kind: "mutant"; readonly id: string };

export interface CompareOrder {
  readonly task: CompareTask;
  readonly runs: number;
}

export interface CompareResult extends KnownComparison {
  readonly name: string;
  /** Whether it ended as it had to. */
  readonly isRight: boolean;
  readonly durationMs: number;
}

// whoever gave the orders is gone
process.on("disconnect", () => process.exit());
process.on("message", (order: CompareOrder) => void work(order).then((result) => process.send?.(result)));

const url = "http://localhost";

async function withEmulators<Result>(
  profiles: readonly [Partial<Profile>, Partial<Profile>],
  work: (targets: readonly [KnownTarget, KnownTarget]) => Promise<Result>,
): Promise<Result> {
  const [first, second] = (await Promise.all(
    profiles.map((profile) => createEmulator({ fixture: "empty", journal: false, profile })),
  )) as [Emulator, Emulator];
  try {
    return await work([
      { url, fetch: first.fetch },
      { url, fetch: second.fetch },
    ]);
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
}

/** Histories of checks and observers, recorded once a process for each way to record them. */
const recordings = new Map<string, Promise<RecordedHistories>>();

function recorded(
  name: string,
  subjects: Parameters<typeof recordKnown>[1],
  profile: Profile = defaultProfile,
) {
  let known = recordings.get(name);
  if (known === undefined) {
    known = createEmulator({ fixture: "empty", journal: false, profile }).then(async (emulator) => {
      const histories = await recordKnown({ url, fetch: emulator.fetch }, subjects);
      await emulator.close();
      return histories;
    });
    recordings.set(name, known);
  }
  return known;
}

async function work({ task, runs }: CompareOrder): Promise<CompareResult> {
  const started = performance.now();
  const done = (name: string, comparison: KnownComparison, finds: boolean): CompareResult => ({
    name,
    ...comparison,
    isRight: finds
      ? comparison.differences.length > 0
      : comparison.differences.length === 0 && comparison.troubles.length === 0 && comparison.left === 0,
    durationMs: performance.now() - started,
  });
  switch (task.kind) {
    case "same": {
      const { seed, profile } = task;
      const name = `seed ${seed}, ${answersOf(profile)}`;
      const known = await recorded(`same ${seed}`, { ...selectSubjects([]), seed, runs }, profile);
      recordings.delete(`same ${seed}`);
      const { histories } = known;
      return done(
        name,
        await withEmulators([profile, profile], (targets) => compareKnown(targets, histories, false)),
        false,
      );
    }
    case "disguised": {
      const known = await recorded(`same ${task.seed}`, { ...selectSubjects([]), seed: task.seed, runs });
      const comparison = await withEmulators([{}, {}], ([first, second]) =>
        compareKnown([{ url, fetch: disguised(first.fetch) }, second], known.histories, false),
      );
      return done(`disguised, seed ${task.seed}`, comparison, false);
    }
    case "gap": {
      const { gap, answer } = task;
      const known = await recorded(`gap ${gap}`, { checks: [], gaps: [gap], seed: 1, runs });
      const histories = known.histories.filter(({ id }) => id === `gaps/${gap}`);
      const comparison = await withEmulators([{ [gap]: answer }, {}], (targets) =>
        compareKnown(targets, histories, true),
      );
      return done(`${gap} ${JSON.stringify(answer)}`, comparison, true);
    }
    case "mutant": {
      const mutant = mutants.find(({ id }) => id === task.id);
      if (mutant === undefined) throw new Error(`there is no mutant ${task.id}`);
      return done(task.id, await compareMutant(mutant, runs), true);
    }
  }
}

/** Compares a mutant by the histories of its own area and those beside it, those of its clause first. */
async function compareMutant(mutant: Mutant, runs: number): Promise<KnownComparison> {
  const areas = [areaOf(mutant), ...(mutant.alsoIn ?? [])];
  const subjects = allSubjects.filter((check) => areas.includes(areaOf(check)));
  const known = await recorded(`areas ${areas.join()}`, { checks: subjects, gaps: [], seed: 1, runs });
  const clausesOf = (id: string) => subjects.find((check) => check.id === id)?.clauses ?? [];
  const { histories } = known;
  const ofClause = histories.filter(({ id }) => clausesOf(id).includes(mutant.clause));
  const ordered = [...ofClause, ...histories.filter((history) => !ofClause.includes(history))];
  return withEmulators([{}, {}], ([first, second]) =>
    compareKnown([{ url, fetch: mutant.wrap(first.fetch) }, second], ordered, true),
  );
}

/** A profile by the answers that are not the default ones. */
function answersOf(profile: Profile): string {
  const others = gapIds.filter((gap) => JSON.stringify(profile[gap]) !== JSON.stringify(defaultProfile[gap]));
  return others.length === 0 ? "default profile" : `${others.length} answers that are not the default ones`;
}
