import type { Command, History } from "./command.js";
import { type Difference, type HistoryResult, referencesOf } from "./run-history.js";
import { signatureOf } from "./signature.js";

/** Runs a history until a difference of the signature shows; nothing where none does. */
export type Try = (
  history: History,
) => Promise<{ readonly difference: Difference; readonly result: HistoryResult } | undefined>;

/** The shortest history found that shows a difference. */
export interface Shrunk {
  readonly difference: Difference;
  readonly result: HistoryResult;
  /** How often the history was tried. */
  readonly tries: number;
}

/**
 * Makes the history of a difference shorter, as long as a difference of the same signature shows.
 *
 * @param most how often it may be tried
 * @returns nothing where the difference does not come back at all
 */
export async function shrinkHistory(
  found: Difference,
  tryHistory: Try,
  most: number,
  isStopped: () => boolean = () => false,
): Promise<Shrunk | undefined> {
  const { history, command } = found;
  const upTo = history.commands.slice(0, history.commands.indexOf(command) + 1);
  const needed = neededFor(command, upTo);
  const ofSegment = upTo.filter(({ segment }) => segment === command.segment);
  const first = upTo.filter(({ segment }) => segment === upTo[0]?.segment);
  let tries = 0;
  const attempt = async (commands: readonly Command[]) => {
    tries++;
    return tryHistory({ ...history, commands });
  };
  let best: { commands: readonly Command[]; shown: NonNullable<Awaited<ReturnType<Try>>> } | undefined;
  // the most likely to be enough first: what the request refers to, what stands for itself, all of it
  const candidates = [
    needed,
    together(upTo, needed, ofSegment),
    together(upTo, needed, first, ofSegment),
    upTo,
  ];
  for (const [index, commands] of candidates.entries()) {
    if (index > 0 && commands.length === candidates[index - 1]?.length) continue;
    const shown = await attempt(commands);
    if (shown === undefined) continue;
    best = { commands, shown };
    break;
  }
  if (best === undefined) return undefined;
  for (let size = best.commands.length >> 1; size >= 1; size = size === 1 ? 0 : size >> 1)
    for (let start = best.commands.length - 1 - size; start >= -size + 1; start -= size) {
      if (tries >= most || isStopped()) break;
      const from = Math.max(0, start);
      const rest: readonly Command[] = best.commands.filter(
        (_, index) => index < from || index >= Math.min(start + size, best?.commands.length ?? 0),
      );
      if (rest.length === best.commands.length || !rest.includes(command)) continue;
      const shown = await attempt(rest);
      if (shown !== undefined) best = { commands: rest, shown };
    }
  return { ...best.shown, tries };
}

/** Commands that a command cannot do without: those whose answers it refers to, and theirs. */
function neededFor(command: Command, commands: readonly Command[]): readonly Command[] {
  const needed = new Set<number>([command.number]);
  for (const candidate of commands.toReversed()) {
    if (!needed.has(candidate.number)) continue;
    for (const { sources } of referencesOf(candidate)) {
      const [source] = sources;
      if (source?.from === "answer") needed.add(source.command);
    }
  }
  const kept = new Set(needed);
  // a database that was made has to be ready
  return commands.filter(
    (candidate) =>
      kept.has(candidate.number) ||
      (candidate.does.kind === "await" &&
        referencesOf(candidate).some(({ sources }) =>
          sources.some((source) => source.from === "answer" && kept.has(source.command)),
        )),
  );
}

/** All that stands in any of the lists, in its order. */
function together(all: readonly Command[], ...lists: readonly (readonly Command[])[]): readonly Command[] {
  const wanted = new Set(lists.flat());
  return all.filter((command) => wanted.has(command));
}

/** Whether a difference is of the same kind as another. */
export function isLike(found: Difference): (difference: Difference) => boolean {
  const signature = signatureOf(found);
  return (difference) => signatureOf(difference) === signature;
}
