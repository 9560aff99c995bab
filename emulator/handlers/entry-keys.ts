import { createInvalidBodyProblem } from "../domain/problem.js";
import { toSortKeyOrNull } from "./items.js";

/** The members of an entry that name its item. */
export interface EntryKey {
  readonly pk: string;
  readonly sk?: string | null;
}

/** Text that is the same for the same key alone. */
export function stringifyKey({ pk, sk }: EntryKey): string {
  return JSON.stringify([pk, toSortKeyOrNull(sk ?? "")]);
}

/** The first entry of each key, in their order. */
export function removeDuplicateKeys<Entry extends EntryKey>(entries: readonly Entry[]): Entry[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const text = stringifyKey(entry);
    return !seen.has(text) && seen.add(text);
  });
}

/** @throws a problem `validation-failed` where two entries of a request have one key */
export function rejectDuplicateKeys(entries: readonly EntryKey[], member: string): void {
  const seen = new Map<string, number>();
  entries.forEach((entry, index) => {
    const text = stringifyKey(entry);
    const first = seen.get(text);
    if (first !== undefined)
      throw createInvalidBodyProblem(`/${member}/${index}`, `names the same key as entry ${first}`);
    seen.set(text, index);
  });
}
