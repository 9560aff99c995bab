import type { OperationId } from "../../openapi/operations/register.js";
import type { Check } from "../check/check.js";
import type { LeftBehind } from "../resources/remove-all.js";
import type { History } from "./command.js";
import { type Judgement, judgeDifference } from "./judge-difference.js";
import type { Pair } from "./pair.js";
import { questionOf } from "./question-of.js";
import type { Difference, HistoryResult } from "./run-history.js";
import { isLike, shrinkHistory } from "./shrink-history.js";
import { signatureOf } from "./signature.js";

/** Differences of one signature, with the shortest history found that shows one. */
export interface DifferenceGroup {
  readonly signature: string;
  /** How many answers show it. */
  readonly count: number;
  readonly difference: Difference;
  /** What both sides were sent, the difference last. */
  readonly exchanges: HistoryResult["exchanges"];
  /** Whether the history was made shorter; one that did not come back is shown as it was. */
  readonly cameBack: boolean;
  readonly judgement: Judgement;
}

export type ComparisonVerdict = "alike" | "different" | "inconclusive";

/** What came of comparing two deployments. */
export interface Comparison {
  readonly verdict: ComparisonVerdict;
  /** How many answers of each operation were compared. */
  readonly compared: ReadonlyMap<OperationId, number>;
  readonly groups: readonly DifferenceGroup[];
  /** What the accounts of the two sides were given before: it differs, and is not counted. */
  readonly given: readonly Difference[];
  /** Differences that did not come back when their history was run again. */
  readonly passing: number;
  readonly histories: number;
  /** Histories that need what one of the sides does not offer. */
  readonly leftOut: readonly { readonly id: string; readonly reason: string }[];
  /** What is in the way of a verdict. */
  readonly troubles: readonly { readonly id: string; readonly reason: string }[];
  readonly left: readonly LeftBehind[];
}

export interface ComparingOptions {
  readonly histories: readonly History[];
  /** The checks that histories come from, for judging. */
  readonly checks: readonly Check[];
  /** What was not recorded: because one of the sides does not offer what it needs, or because it could not be. */
  readonly unrecorded?: Pick<Comparison, "leftOut" | "troubles">;
  /** How often the history of a difference is tried at most while it is made shorter. */
  readonly mostTries?: number;
  readonly onProgress?: (done: number, total: number, differences: number) => void;
  readonly isStopped?: () => string | undefined;
}

/** More groups than this are counted, and shown as they were found. */
const mostShrunk = 40;

const defaultTries = 60;

/** How long is waited before each command when instants are to be told apart that may be the same by chance. */
const tellingApartMs = 1100;

/** Takes a pair that is prepared through histories, and finds out about every difference what there is to say. */
export async function compareHistories(pair: Pair, options: ComparingOptions): Promise<Comparison> {
  const { histories, checks, unrecorded, onProgress, isStopped = () => undefined } = options;
  const compared = new Map<OperationId, number>();
  const found = new Map<
    string,
    { difference: Difference; result: HistoryResult; count: number; histories: Set<string> }
  >();
  const leftOut = [...(unrecorded?.leftOut ?? [])];
  const troubles = [...(unrecorded?.troubles ?? [])];
  let done = 0;
  let ran = 0;
  const given = await pair.readGiven();
  for (const history of histories) {
    if (isStopped() !== undefined) break;
    const ending = await pair.run(history);
    if (ending.kind === "run") {
      ran++;
      for (const [operation, count] of ending.result.compared)
        compared.set(operation, (compared.get(operation) ?? 0) + count);
      for (const difference of ending.result.differences) {
        const signature = signatureOf(difference);
        const known = found.get(signature);
        // the shorter history is the better one to begin with
        const from = (known?.histories ?? new Set<string>()).add(difference.history.id);
        if (known === undefined || commandsBefore(difference) < commandsBefore(known.difference))
          found.set(signature, {
            difference,
            result: ending.result,
            count: (known?.count ?? 0) + 1,
            histories: from,
          });
        else known.count++;
      }
    } else (ending.kind === "left out" ? leftOut : troubles).push({ id: history.id, reason: ending.reason });
    onProgress?.(++done, histories.length, found.size);
  }
  const kinds = new Map<string, number>();
  for (const { histories: from } of found.values())
    for (const id of from) kinds.set(id, (kinds.get(id) ?? 0) + 1);
  const kindsOf = (id: string) => kinds.get(id) ?? 0;
  const groups: DifferenceGroup[] = [];
  let passing = 0;
  for (const [signature, { difference, result, count, histories: from }] of found) {
    const isLate = groups.length >= mostShrunk || isStopped() !== undefined;
    const shrunk = isLate ? undefined : await shrink(pair, difference, options);
    if (!isLate && shrunk === undefined) {
      passing += count;
      continue;
    }
    groups.push({
      signature,
      count,
      difference: shrunk?.difference ?? difference,
      exchanges: shrunk?.result.exchanges ?? upTo(difference, result),
      cameBack: shrunk !== undefined,
      judgement: isLate
        ? { kind: "open" }
        : await judgeDifference(difference, pair.runs, checks, () =>
            questionOf(difference, [...from], kindsOf, pair.schemas),
          ),
    });
  }
  const stopped = isStopped();
  if (stopped !== undefined) troubles.push({ id: "", reason: stopped });
  const left = await pair.cleanUp();
  const removable = left.filter(({ isFinal }) => isFinal !== true).length;
  if (removable > 0)
    troubles.push({ id: "", reason: `${removable} of the things that were made could not be removed` });
  return {
    verdict: verdictOf(groups, troubles, compared),
    compared,
    groups,
    given,
    passing,
    histories: ran,
    leftOut,
    troubles,
    left,
  };
}

function verdictOf(
  groups: readonly unknown[],
  troubles: readonly unknown[],
  compared: ReadonlyMap<OperationId, number>,
): ComparisonVerdict {
  if (groups.length > 0) return "different";
  // where nothing was compared nothing is known
  return troubles.length > 0 || compared.size === 0 ? "inconclusive" : "alike";
}

function commandsBefore({ history, command }: Difference): number {
  return history.commands.indexOf(command);
}

/** The exchanges of a history as far as a difference. */
function upTo({ exchanges: [last] }: Difference, { exchanges }: HistoryResult): HistoryResult["exchanges"] {
  const index = exchanges.findIndex(([first]) => first === last);
  return exchanges.slice(0, index + 1);
}

async function shrink(
  pair: Pair,
  difference: Difference,
  { mostTries = defaultTries, isStopped }: ComparingOptions,
) {
  const isAlike = isLike(difference);
  // the clocks of emulators tell all requests apart
  const pauseMs = difference.isAboutTime && !pair.areEmulators ? tellingApartMs : undefined;
  return shrinkHistory(
    difference,
    async (history) => {
      const ending = await pair.run(history, {
        until: isAlike,
        ...(pauseMs === undefined ? {} : { pauseMs }),
      });
      if (ending.kind !== "run") return undefined;
      const again = ending.result.differences.find(isAlike);
      return again === undefined ? undefined : { difference: again, result: ending.result };
    },
    mostTries,
    () => isStopped?.() !== undefined,
  );
}
